// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

/**
 * Keeps Hadoop's log lines off the terminal. The log4j configuration has a name of its own and is
 * asked for by a system property, so that this jar never changes the logging of a JVM that merely
 * has it on its classpath.
 */
public final class Logging {
  private static final String CONFIGURATION = "log4j.configuration";

  private Logging() {}

  /**
   * Points log4j at our configuration, unless the user has chosen one. To be called before the
   * first class that logs is loaded. Logs are shown, on standard error, with {@code debug} only.
   */
  public static void configure(boolean debug) {
    if (System.getProperty(CONFIGURATION) == null) {
      System.setProperty(CONFIGURATION, "io/temptier/cli/logging.properties");
      System.setProperty("temptier.log.level", debug ? "INFO" : "OFF");
    }
  }
}
