// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Bounds how much of what was written may wait in memory for its disk. By default that is a share
 * of the machine's memory, beside which the data of a small job is nothing: its disks would not be
 * written to before it is over. The bound is the whole machine's; what it was before is kept in the
 * run's folder until it is put back.
 */
public final class DirtyPages {
  private static final Path VM = Path.of("/proc/sys/vm");
  private static final String WERE = "dirty-pages-were";
  private static final long BOUND_BYTES = 64L << 20;
  private static final long BACKGROUND_BYTES = 16L << 20;

  /** Of bytes and ratio one is zero, and to write the one makes the other zero. */
  private static final List<String> KEYS =
      List.of("dirty_bytes", "dirty_ratio", "dirty_background_bytes", "dirty_background_ratio");

  private DirtyPages() {}

  /** Bounds them, unless another run did so already. */
  public static void bound(Path home) throws IOException {
    bound(VM, home);
  }

  static void bound(Path vm, Path home) throws IOException {
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

  /** In one piece: the kernel gives these files to the first read only, however small it is. */
  static String read(Path file) throws IOException {
    try (BufferedReader in = Files.newBufferedReader(file)) {
      return String.valueOf(in.readLine());
    }
  }

  /** Puts back what was before; harmless when this run changed nothing. */
  static void restore(Path home) throws IOException {
    restore(VM, home);
  }

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
