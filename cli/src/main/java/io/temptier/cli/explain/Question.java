// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is to be explained. */
final class Question {

  /** Ids of YARN and of MapReduce that tell the application. */
  private static final Pattern ID =
      Pattern.compile(
          "(application|appattempt|job|task|attempt|container)(?:_e\\d+)?_(\\d+_\\d+)(?:_.*)?");

  /** Spark's blocks, of whatever application: one, or all of a shuffle or an RDD. */
  private static final Pattern BLOCK =
      Pattern.compile("(shuffle|rdd|broadcast|input|temp_shuffle|temp_local)_[-\\w.]+");

  private static final Pattern IN_PATH = Pattern.compile("application_\\d+_\\d+");

  private final String text;

  /** The file or folder, absolute; empty when an id was given. */
  final Optional<Path> path;

  /** The application it belongs to, if any. */
  final Optional<String> application;

  /**
   * Understands a question; throws {@link InvalidPathException} when it is neither an id nor a
   * possible path.
   */
  Question(String text) {
    this.text = text;
    Matcher id = ID.matcher(text);
    if (id.matches()) {
      path = Optional.empty();
      application = Optional.of("application_" + id.group(2));
    } else if (BLOCK.matcher(text).matches()) {
      path = Optional.empty();
      application = Optional.empty();
    } else {
      Path file = Paths.get(text).toAbsolutePath().normalize();
      Matcher inPath = IN_PATH.matcher(file.toString());
      path = Optional.of(file);
      application = inPath.find() ? Optional.of(inPath.group()) : Optional.empty();
    }
  }

  /** Whether a file of the application is asked for. */
  boolean covers(Path file) {
    boolean all = text.startsWith("application_") || text.startsWith("job_");
    return path.map(file::startsWith).orElseGet(() -> all || names(file.toString()));
  }

  /** An id ends where its digits end: attempt 1 is not attempt 10. A block's begins its name. */
  private boolean names(String file) {
    String before = application.isPresent() ? "" : "(?<=/)";
    return Pattern.compile(before + Pattern.quote(text) + "(?!\\d)").matcher(file).find();
  }
}
