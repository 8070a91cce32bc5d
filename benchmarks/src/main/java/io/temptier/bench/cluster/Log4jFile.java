// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What Hadoop logs by in a JVM that has it on its class path: to standard error. */
public final class Log4jFile {
  private static final String NAME = "log4j.properties";

  private static final String TEXT =
      """
      log4j.rootLogger=%s,console
      log4j.appender.console=org.apache.log4j.ConsoleAppender
      log4j.appender.console.target=System.err
      log4j.appender.console.layout=org.apache.log4j.PatternLayout
      log4j.appender.console.layout.ConversionPattern=%%d{ISO8601} %%p %%c{1}: %%m%%n
      """;

  private Log4jFile() {}

  /**
   * Writes it.
   *
   * @param folder an existing folder on that class path
   * @param level the least that is logged, such as {@code WARN}
   */
  public static void write(Path folder, String level) throws IOException {
    Files.writeString(folder.resolve(NAME), TEXT.formatted(level));
  }
}
