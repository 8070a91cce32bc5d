// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import io.temptier.lab.process.Shell;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A disk of a node that something is measured on. One of the user's is as it is: it can be neither
 * slowed down nor set up.
 */
public interface Disk extends Closeable {
  Path mount();

  /** Returns its traffic since its device is there; zeros where the kernel does not count. */
  DiskTraffic traffic() throws IOException;

  /** Describes it to people. */
  String description() throws IOException;

  default void limit(DiskSpeed speed) throws IOException {}

  /** Lifts the limit, where it holds for every process. */
  default void lift() throws IOException {}

  /** True if its limit holds for every process, in a group or not. */
  default boolean slowForAll() {
    return false;
  }

  /** Returns the command line of a process for which this disk is slow. */
  default List<String> inGroup(List<String> command) {
    return command;
  }

  /**
   * Sets the kernel's readahead on it, which bounds how large a request of a sequential read is.
   */
  default void readAhead(long bytes) throws IOException {}

  /**
   * Fills a share of its free room with somebody else's file, until the disk goes.
   *
   * @param share above 0, below 1
   */
  default void occupy(double share) throws IOException {
    long bytes = (long) (Files.getFileStore(mount()).getUsableSpace() * share);
    Shell.run("fallocate", "-l", Long.toString(bytes), mount().resolve("foreign").toString());
  }
}
