// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.output;

import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.regex.Pattern;

/** Names a map output on this node. */
@AutoValue
public abstract class MapOutputId {
  public static final String DATA = "file.out";

  public static final String INDEX = "file.out.index";

  /** Prefix of every attempt's name. */
  public static final String ATTEMPT = "attempt_";

  /**
   * {@code attempt_TIME_JOB_m_TASK_ATTEMPT} of MapReduce, {@code
   * attempt_TIME_APP_DAG_VERTEX_TASK_ATTEMPT_ID} of Tez. One number more is a spill of Tez, which
   * it deletes when it has merged them: of one that was moved it would delete the link only.
   */
  private static final Pattern FINAL =
      Pattern.compile(ATTEMPT + "\\d+_\\d+_(m(_\\d+){2}|\\d+(_\\d+){4})");

  /** Number of names that a file of an output has below a local dir. */
  private static final int NAMES_TO_FILE = 7;

  public abstract String user();

  /** The YARN application, such as {@code application_1700000000000_0001}. */
  public abstract String application();

  /** The map attempt, as fetchers name it. */
  public abstract String attempt();

  public static MapOutputId of(String user, String application, String attempt) {
    return new AutoValue_MapOutputId(user, application, attempt);
  }

  /**
   * True if the attempt is a plain name. A fetcher sends it, and it becomes part of a path: with a
   * separator in it it could name what is not the job's.
   */
  public boolean plain() {
    if (attempt().isEmpty() || attempt().equals(".") || attempt().equals("..")) {
      return false;
    }
    try {
      Path name = Paths.get(attempt());
      return !name.isAbsolute() && name.getNameCount() == 1 && name.toString().equals(attempt());
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** True if it is a task's final output, as MapReduce and Tez name it. */
  public boolean isFinal() {
    return FINAL.matcher(attempt()).matches();
  }

  /** The local dir that a file of an output lies in. */
  public static Path root(Path file) {
    Path root = file;
    for (int name = 0; name < NAMES_TO_FILE; name++) {
      Path parent = root.getParent();
      root = parent == null ? root : parent;
    }
    return root;
  }

  /** The output's folder below a local dir. */
  public Path relativePath() {
    return outputs(user(), application()).resolve(attempt());
  }

  /** The folder of an application's outputs below a local dir. */
  public static Path outputs(String user, String application) {
    return LocalDir.application(user, application).resolve("output");
  }
}
