// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.move;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.regex.Pattern;

/** Where the NodeManager has the outputs of an application, and what final ones are called. */
public final class OutputFolders {
  /** What every name of a folder of outputs begins with. */
  public static final String ATTEMPT = "attempt_";

  /**
   * {@code attempt_TIME_JOB_m_TASK_ATTEMPT} of MapReduce, {@code
   * attempt_TIME_APP_DAG_VERTEX_TASK_ATTEMPT_ID} of Tez. One number more is a spill of Tez, which
   * it deletes when it has merged them: of one that was moved it would delete the link only.
   */
  private static final Pattern FINAL =
      Pattern.compile("attempt_\\d+_\\d+_(m(_\\d+){2}|\\d+(_\\d+){4})");

  private OutputFolders() {}

  /** The folder of an application's outputs below a dir. */
  public static Path outputs(String user, String application) {
    return application(user, application).resolve("output");
  }

  /** The folder of an application below a dir. */
  public static Path application(String user, String application) {
    return Paths.get("usercache", user, "appcache", application);
  }

  /** Whether a folder of that name has a task's final output, as MapReduce and Tez name it. */
  public static boolean isFinal(String attempt) {
    return FINAL.matcher(attempt).matches();
  }
}
