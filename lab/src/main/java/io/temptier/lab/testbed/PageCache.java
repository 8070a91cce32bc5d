// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import io.temptier.lab.process.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Makes files cold without root, and without a harm to what others have in memory. */
public final class PageCache {
  private static final int FILES_AT_ONCE = 200;
  private static final Path DROP = Path.of("/proc/sys/vm/drop_caches");

  private PageCache() {}

  public static boolean canDropAll() {
    return Files.isWritable(DROP);
  }

  /**
   * Has all of the machine's written data brought to its disks, and drops every page, directory
   * entry and inode that can be dropped. Needs root.
   */
  public static void dropAll() throws IOException {
    Shell.run("sync");
    Files.writeString(DROP, "3");
  }

  /** Drops the files' pages from memory. They must have been written to disk before. */
  public static void drop(List<Path> files) throws IOException {
    for (int i = 0; i < files.size(); i += FILES_AT_ONCE) {
      List<Path> some = files.subList(i, Math.min(files.size(), i + FILES_AT_ONCE));
      String each = "for f; do dd if=\"$f\" iflag=nocache count=0 status=none || exit 1; done";
      Shell.run(Shell.line("sh", "-c", each, "drop", some));
    }
  }
}
