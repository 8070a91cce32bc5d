// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Runs programs as users of applications. Safe for use by many threads. */
public interface UserProcesses {
  /**
   * The command line that runs a program as a user. The process that it starts becomes the program,
   * leads a process group, and its working directory is {@link Scratch#folder}, with a copy of
   * {@code credentials} in it.
   *
   * @param credentials a file of the NodeManager's, of a name that was never used before
   */
  List<String> command(
      ApplicationUser who, Scratch scratch, Path credentials, List<String> program);

  /**
   * Asks whether anything can be run as users. No user can have that fail.
   *
   * @throws IOException when nothing can, with the node's own reason
   */
  void check() throws IOException;

  /**
   * Kills a process that {@link #command} started, with its group, as its user.
   *
   * @throws IOException when that could not be tried
   */
  void kill(ApplicationUser who, long pid) throws IOException;

  /**
   * Deletes a folder with all that is in it, as its user.
   *
   * @throws IOException when that could not be tried
   */
  void delete(ApplicationUser who, Path folder) throws IOException;
}
