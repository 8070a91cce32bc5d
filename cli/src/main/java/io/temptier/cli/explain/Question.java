// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import com.google.auto.value.AutoValue;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is to be explained. */
@AutoValue
abstract class Question {

  /** Ids of YARN and of MapReduce that tell the application. */
  private static final Pattern ID =
      Pattern.compile(
          "(application|appattempt|job|task|attempt|container)(?:_e\\d+)?_(\\d+)_(\\d+)(?:_.*)?");

  /** Spark's blocks, of whatever application: one, or all of a shuffle or an RDD. */
  private static final Pattern BLOCK =
      Pattern.compile("(shuffle|rdd|broadcast|input|temp_shuffle|temp_local)_[-\\w.]+");

  private static final Pattern IN_PATH = Pattern.compile("application_\\d+_\\d+");

  abstract String text();

  /** The file or folder, absolute; empty when an id was given. */
  abstract Optional<Path> path();

  /** The application it belongs to, if any. */
  abstract Optional<String> application();

  static Question of(String text, Optional<Path> path, Optional<String> application) {
    return new AutoValue_Question(text, path, application);
  }

  /**
   * Understands a question; throws {@link InvalidPathException} when it is neither an id nor a
   * possible path.
   */
  static Question of(String text) {
    Matcher id = ID.matcher(text);
    if (id.matches()) {
      return Question.of(
          text, Optional.empty(), Optional.of("application_" + id.group(2) + "_" + id.group(3)));
    }
    if (BLOCK.matcher(text).matches()) {
      return Question.of(text, Optional.empty(), Optional.empty());
    }
    Path path = Paths.get(text).toAbsolutePath().normalize();
    Matcher inPath = IN_PATH.matcher(path.toString());
    Optional<String> application = inPath.find() ? Optional.of(inPath.group()) : Optional.empty();
    return Question.of(text, Optional.of(path), application);
  }

  boolean wholeApplication() {
    return !path().isPresent() && (text().startsWith("application_") || text().startsWith("job_"));
  }

  /** Whether a file of the application is asked for. */
  boolean covers(Path file) {
    return path()
        .map(file::startsWith)
        .orElseGet(() -> wholeApplication() || names(file.toString()));
  }

  /** An id ends where its digits end: attempt 1 is not attempt 10. A block's begins its name. */
  private boolean names(String file) {
    String before = application().isPresent() ? "" : "(?<=/)";
    return Pattern.compile(before + Pattern.quote(text()) + "(?!\\d)").matcher(file).find();
  }
}
