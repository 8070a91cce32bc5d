// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The properties around S3A that one version of Hadoop reads, and their defaults: from its {@code
 * core-default.xml} and {@code mapred-default.xml}, and from the constants of hadoop-aws, since
 * many properties have their default in code only. The lists are resources of this package, made
 * from the jars by {@code HadoopKeysTest}.
 */
public final class HadoopKeys {
  private static final char TAB = '\t';

  private final SortedMap<String, String> defaults;

  private HadoopKeys(SortedMap<String, String> defaults) {
    this.defaults = Collections.unmodifiableSortedMap(defaults);
  }

  static HadoopKeys read(String number) {
    String name = resource(number);
    try (InputStream in = HadoopKeys.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing from this jar");
      }
      return new HadoopKeys(
          parse(new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The name of a version's list, beside this class. */
  static String resource(String number) {
    return "hadoop-" + number + ".keys";
  }

  private static SortedMap<String, String> parse(BufferedReader reader) throws IOException {
    SortedMap<String, String> defaults = new TreeMap<>();
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      if (!line.isEmpty() && !line.startsWith("#")) {
        int tab = line.indexOf(TAB);
        defaults.put(
            tab < 0 ? line : line.substring(0, tab), tab < 0 ? "" : line.substring(tab + 1));
      }
    }
    return defaults;
  }

  /** Whether anything in that Hadoop reads the property. */
  public boolean knows(String key) {
    return defaults.containsKey(key);
  }

  /** The default of a property; empty when it has none. */
  public Optional<String> defaultOf(String key) {
    String value = defaults.get(key);
    return value == null || value.isEmpty() ? Optional.empty() : Optional.of(value);
  }

  /** Every property with its default, which is empty when there is none. */
  public SortedMap<String, String> all() {
    return defaults;
  }
}
