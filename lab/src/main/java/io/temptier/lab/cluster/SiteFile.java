// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** Writes Hadoop's configuration files. */
public final class SiteFile {
  private static final String LOG4J =
      """
      log4j.rootLogger=%s,console
      log4j.appender.console=org.apache.log4j.ConsoleAppender
      log4j.appender.console.target=System.err
      log4j.appender.console.layout=org.apache.log4j.PatternLayout
      log4j.appender.console.layout.ConversionPattern=%%d{ISO8601} %%p %%c{1}: %%m%%n
      """;

  private SiteFile() {}

  /** Writes it whole at once: a task that starts may read it. */
  public static void write(Path file, Map<String, String> properties) throws IOException {
    Path part = file.resolveSibling("." + file.getFileName() + ".part");
    writeTo(part, properties);
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void writeTo(Path file, Map<String, String> properties) throws IOException {
    Configuration site = new Configuration(false);
    properties.forEach(site::set);
    try (OutputStream out = Files.newOutputStream(file)) {
      site.writeXml(out);
    }
  }

  /** Writes a new file that only this user may read, before the keys are in it. */
  public static void writePrivate(Path file, Map<String, String> properties) throws IOException {
    writeTo(
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))),
        properties);
  }

  /** Writes what Hadoop logs by in a JVM that has it on its class path: to standard error. */
  public static void writeLog4j(Path folder, String level) throws IOException {
    Files.writeString(folder.resolve("log4j.properties"), LOG4J.formatted(level));
  }
}
