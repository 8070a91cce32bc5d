// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.output;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Names a map output on this node.
 *
 * @param user who runs the job
 * @param application the YARN application, such as {@code application_1700000000000_0001}
 * @param attempt the map attempt, as fetchers name it
 */
public record MapOutputId(String user, String application, String attempt) {
  /** Name of the data file in the output's folder. */
  public static final String DATA = "file.out";

  /** Name of the index in the output's folder. */
  public static final String INDEX = "file.out.index";

  /** How many names a file of an output has below a local dir. */
  static final int NAMES_TO_FILE = 7;

  /**
   * Whether the attempt is a plain name. A fetcher sends it, and it becomes part of a path: with a
   * separator in it it could name what is not the job's.
   */
  public boolean plain() {
    if (attempt.isEmpty() || attempt.equals(".") || attempt.equals("..")) {
      return false;
    }
    try {
      Path name = Path.of(attempt);
      return !name.isAbsolute() && name.getNameCount() == 1 && name.toString().equals(attempt);
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** The output's folder below a local dir. */
  public Path relativePath() {
    return Path.of("usercache", user, "appcache", application, "output", attempt);
  }
}
