// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Files such as {@code core-site.xml}; each property has a line, the first is on line 2. */
public final class Site {
  private Site() {}

  public static Path write(Path file, String... keysAndValues) throws IOException {
    Map<String, String> conf = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return write(file, conf);
  }

  public static Path write(Path file, Map<String, String> conf) throws IOException {
    StringBuilder xml = new StringBuilder("<configuration>\n");
    conf.forEach((key, value) -> xml.append(property(key, value)).append('\n'));
    return Files.writeString(file, xml + "</configuration>\n");
  }

  public static String property(String key, String value) {
    return "<property><name>" + key + "</name><value>" + value + "</value></property>";
  }
}
