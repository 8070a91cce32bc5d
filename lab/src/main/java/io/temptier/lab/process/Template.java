// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Configuration files that lie beside a class, with variables such as <code>${home}</code>. */
public final class Template {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)}");

  private Template() {}

  public static String text(Class<?> beside, String name, Function<String, ?> values)
      throws IOException {
    try (InputStream in = beside.getResourceAsStream(name)) {
      String text =
          new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
      return VARIABLE
          .matcher(text)
          .replaceAll(found -> Matcher.quoteReplacement(value(found.group(1), values)));
    }
  }

  private static String value(String name, Function<String, ?> values) {
    return Objects.requireNonNull(values.apply(name), name).toString();
  }

  public static Map<String, String> properties(
      Class<?> beside, String name, Function<String, ?> values) throws IOException {
    Properties template = new Properties();
    template.load(new StringReader(text(beside, name, values)));
    Map<String, String> properties = new TreeMap<>();
    template.stringPropertyNames().forEach(key -> properties.put(key, template.getProperty(key)));
    return properties;
  }
}
