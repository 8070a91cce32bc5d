// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.TextTable;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The versions of Hadoop whose S3A was read and tried. The properties around S3A that each reads,
 * and their defaults, are lists beside this class: from its {@code core-default.xml} and {@code
 * mapred-default.xml}, and from the constants of hadoop-aws, since many properties have their
 * default in code only. {@code HadoopVersionTest} makes them from the jars.
 */
public enum HadoopVersion {
  /** The last on AWS SDK 1. Knows the classic stream only; only its jars were read. */
  V3_3_6("3.3.6", false),
  /** Knows the classic stream and prefetching; only its jars were read. */
  V3_4_1("3.4.1", true),
  /** Reads with the classic stream unless told otherwise. */
  V3_4_2("3.4.2", true),
  /** Reads with the analytics stream unless told otherwise. */
  V3_4_3("3.4.3", true),
  /** Same as 3.4.3, but needs Java 17. */
  V3_5_0("3.5.0", true);

  /** Versions that were tried, for which the templates are. */
  public static final List<HadoopVersion> TRIED = Immutable.listOf(V3_4_2, V3_4_3, V3_5_0);

  private static final Pattern RELEASE = Pattern.compile("^(3\\.\\d\\.)(\\d)");

  private final String number;
  private final boolean ofSdk2;
  private final SortedMap<String, String> keys;

  HadoopVersion(String number, boolean ofSdk2) {
    this.number = number;
    this.ofSdk2 = ofSdk2;
    SortedMap<String, String> defaults = new TreeMap<>();
    TextTable.lines(HadoopVersion.class, resource(number)).stream()
        .map(line -> (line + "\t").split("\t", -1))
        .forEach(keyAndDefault -> defaults.put(keyAndDefault[0], keyAndDefault[1]));
    this.keys = Collections.unmodifiableSortedMap(defaults);
  }

  /**
   * The one by whose lists a release of the same line is taken: the last before it, or the first.
   */
  public static Optional<HadoopVersion> of(String number) {
    Matcher asked = RELEASE.matcher(number.trim());
    if (!asked.find()) {
      return Optional.empty();
    }
    List<HadoopVersion> line =
        Arrays.stream(values())
            .filter(version -> version.number.startsWith(String.valueOf(asked.group(1))))
            .collect(Immutable.toList());
    int patch = Integer.parseInt(String.valueOf(asked.group(2)));
    return line.stream()
        .filter(version -> version == line.get(0) || version.patch() <= patch)
        .reduce((before, last) -> last);
  }

  private int patch() {
    return number.charAt(number.length() - 1) - '0';
  }

  /** The numbers of all, with commas between. */
  public static String known() {
    return Arrays.stream(values()).map(HadoopVersion::number).collect(Collectors.joining(", "));
  }

  public String number() {
    return number;
  }

  /** True if its S3A is on AWS SDK 2, and not on 1. */
  boolean isOfSdk2() {
    return ofSdk2;
  }

  /** Every property it reads with its default, which is empty when there is none. */
  public SortedMap<String, String> keys() {
    return keys;
  }

  public boolean knows(String key) {
    return keys.containsKey(key);
  }

  /** The default of a property; empty when it has none. */
  public Optional<String> defaultOf(String key) {
    return Optional.ofNullable(keys.get(key)).filter(value -> !value.isEmpty());
  }

  static String resource(String number) {
    return "hadoop-" + number + ".keys";
  }

  @Override
  public String toString() {
    return number;
  }
}
