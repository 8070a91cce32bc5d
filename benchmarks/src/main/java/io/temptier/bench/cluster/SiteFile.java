// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Writes Hadoop's configuration files. */
public final class SiteFile {
  private SiteFile() {}

  /** Writes {@code properties} as {@code file}, in the order of their keys. */
  public static void write(Path file, Map<String, String> properties) throws IOException {
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    new TreeMap<>(properties)
        .forEach(
            (key, value) ->
                xml.append("  <property>\n    <name>")
                    .append(escape(key))
                    .append("</name>\n    <value>")
                    .append(escape(value))
                    .append("</value>\n  </property>\n"));
    Files.writeString(file, xml.append("</configuration>\n"));
  }

  private static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              if (c == '<' || c == '&' || c > '~') {
                escaped.append("&#").append(c).append(';');
              } else {
                escaped.appendCodePoint(c);
              }
            });
    return escaped.toString();
  }
}
