// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import io.temptier.lab.process.Shell;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Pages of files in the machine's memory: makes them cold, and has them written. */
public final class PageCache {
  private static final int FILES_AT_ONCE = 200;
  private static final Path DROP = Path.of("/proc/sys/vm/drop_caches");

  public static final Path VM = Path.of("/proc/sys/vm");
  private static final String WERE = "dirty-pages-were";
  private static final long BOUND_BYTES = 64L << 20;
  private static final long BACKGROUND_BYTES = 16L << 20;

  /** Keys in pairs: of bytes and ratio one is zero, and to write the one makes the other zero. */
  private static final List<String> KEYS =
      List.of("dirty_bytes", "dirty_ratio", "dirty_background_bytes", "dirty_background_ratio");

  private PageCache() {}

  public static boolean canDropAll() {
    return Files.isWritable(DROP);
  }

  /**
   * Writes all of the machine's dirty data to its disks, and drops every page, directory entry and
   * inode that can be dropped. Needs root.
   */
  public static void dropAll() throws IOException {
    Shell.run("sync");
    Files.writeString(DROP, "3");
  }

  /**
   * Drops the files' pages from memory, without root and without harm to what others have there.
   * They must have been written to disk before.
   */
  public static void drop(List<Path> files) throws IOException {
    for (int i = 0; i < files.size(); i += FILES_AT_ONCE) {
      List<Path> some = files.subList(i, Math.min(files.size(), i + FILES_AT_ONCE));
      String each = "for f; do dd if=\"$f\" iflag=nocache count=0 status=none || exit 1; done";
      Shell.run(Shell.line("sh", "-c", each, "drop", some));
    }
  }

  /**
   * Bounds how much of what was written may wait in memory for its disk, unless another run did so
   * already. By default that is a share of the machine's memory, beside which the data of a small
   * job is nothing: its disks would not be written to before it is over. The bound is the whole
   * machine's; what it was before is kept in the run's folder until it is put back.
   *
   * @param vm {@link #VM}, or a test's own folder
   */
  public static void bound(Path vm, Path home) throws IOException {
    String bound = Long.toString(BOUND_BYTES);
    if (read(vm.resolve("dirty_bytes")).equals(bound)) {
      return;
    }
    List<String> were = new ArrayList<>();
    for (String key : KEYS) {
      String value = read(vm.resolve(key));
      if (!value.equals("0")) {
        were.add(key + "=" + value);
      }
    }
    Files.write(home.resolve(WERE), were);
    Files.writeString(vm.resolve("dirty_background_bytes"), Long.toString(BACKGROUND_BYTES));
    Files.writeString(vm.resolve("dirty_bytes"), bound);
  }

  /**
   * Reads in one piece: the kernel gives these files to the first read only, however small it is.
   */
  static String read(Path file) throws IOException {
    try (BufferedReader in = Files.newBufferedReader(file)) {
      return String.valueOf(in.readLine());
    }
  }

  /** Puts back what was before; harmless when this run changed nothing. */
  static void restore(Path vm, Path home) throws IOException {
    Path were = home.resolve(WERE);
    if (!Files.exists(were)) {
      return;
    }
    for (String line : Files.readAllLines(were)) {
      int equals = line.indexOf('=');
      Files.writeString(vm.resolve(line.substring(0, equals)), line.substring(equals + 1));
    }
    Files.delete(were);
  }
}
