// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import io.temptier.tier.Medium;
import io.temptier.tier.NearestName;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.DemotionSettings;
import io.temptier.tier.marker.TierSettings;
import io.temptier.tier.policy.FillLimits;
import io.temptier.tier.text.Bounds;
import io.temptier.tier.text.Durations;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Quoted;
import io.temptier.tier.text.Sizes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.StringUtils;

/**
 * Reads TempTier's properties, strictly: where Hadoop's own getters take a default for what they
 * cannot parse, this notes an ERROR, and goes on with the default to find the other problems too.
 */
final class ConfReader {
  private static final Pattern COUNT = Pattern.compile("\\d{1,9}");
  private static final Finding.Table FINDINGS = new Finding.Table(ConfReader.class, "findings.txt");

  private final Configuration conf;
  private final List<Finding> findings;

  ConfReader(Configuration conf, List<Finding> findings) {
    this.conf = conf;
    this.findings = findings;
  }

  /** A property's value with variables replaced, trimmed; empty when it is not set. */
  String raw(String key) {
    try {
      String value = conf.get(key);
      return value == null ? "" : value.trim();
    } catch (RuntimeException e) {
      // Variables that refer to one another, or a file that is no XML.
      note("unreadable", key, "", String.valueOf(e.getMessage()));
      return "";
    }
  }

  boolean isSet(TierKey key) {
    return !raw(key.key()).isEmpty();
  }

  String value(TierKey key) {
    String value = raw(key.key());
    return value.isEmpty() ? key.defaultValue() : value;
  }

  /** A number of YARN's, or its default; that of what is no number, too. */
  double number(String key, double defaultValue) {
    String value = raw(key);
    try {
      return value.isEmpty() ? defaultValue : Double.parseDouble(value);
    } catch (NumberFormatException e) {
      // YARN itself does not start with it, and says so.
      return defaultValue;
    }
  }

  /** Returns where a property's value came from: files, oldest first, or {@code default}. */
  String origin(String key) {
    try {
      String[] sources = conf.getPropertySources(key);
      String value = conf.getRaw(key);
      return sources == null || sources.length == 0 || value == null || value.trim().isEmpty()
          ? "default"
          : String.join(" via ", sources);
    } catch (RuntimeException e) {
      return "unknown";
    }
  }

  Set<String> accepted() {
    return new HashSet<>(Arrays.asList(StringUtils.getTrimmedStrings(raw(TierKey.ACCEPT.key()))));
  }

  boolean flag(TierKey key) {
    return parse(key, ConfReader::flag);
  }

  private static boolean flag(String text) {
    if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
      throw new IllegalArgumentException(Quoted.of(text) + " is neither true nor false");
    }
    return text.equalsIgnoreCase("true");
  }

  DemotionSettings demotion() {
    DemotionSettings.Marks marks =
        DemotionSettings.Marks.of(
            bounded(TierKey.DEMOTION_HIGH, Sizes::parsePercent),
            isSet(TierKey.DEMOTION_HIGH),
            bounded(TierKey.DEMOTION_LOW, Sizes::parsePercent),
            isSet(TierKey.DEMOTION_LOW));
    return DemotionSettings.of(
        flag(TierKey.DEMOTION_ENABLED),
        marks,
        bounded(TierKey.DEMOTION_RATE, ConfReader::rate),
        bounded(TierKey.DEMOTION_COLD_AFTER, Durations::parse));
  }

  private static long rate(String text) {
    long bytes = Sizes.parse(text);
    if (bytes == 0) {
      throw new IllegalArgumentException(
          Quoted.of(text)
              + " would write nothing; "
              + TierKey.DEMOTION_ENABLED
              + "=false is how to say so");
    }
    return bytes;
  }

  TierSettings settings() {
    return TierSettings.DEFAULT.toBuilder()
        .unknownSizeBytes(bounded(TierKey.UNKNOWN_SIZE, Sizes::parse))
        .largeSizeBytes(bounded(TierKey.LARGE_SIZE, Sizes::parse))
        .limits(parse(TierKey.FILL_LIMITS, FillLimits::parse))
        .build();
  }

  ShuffleSettings shuffle() {
    return ShuffleSettings.of(
        bounded(TierKey.SHUFFLE_MEMORY, Sizes::parse),
        bounded(TierKey.LANE_DEPTH, ConfReader::count));
  }

  private static Integer count(String text) {
    if (!COUNT.matcher(text).matches()) {
      throw new IllegalArgumentException(Quoted.of(text) + " is not a whole number");
    }
    return Integer.valueOf(text);
  }

  List<Medium> tierOrder() {
    return parse(TierKey.TIER_ORDER, ConfReader::media);
  }

  Map<Medium, Reserve> reserves() {
    Map<Medium, Reserve> reserves = new EnumMap<>(Medium.class);
    for (Medium medium : Medium.values()) {
      reserves.put(medium, parse(reserveKey(medium), Reserve::parse));
    }
    return reserves;
  }

  /** The key of a medium's reserve: its own where that is set, else the general one. */
  TierKey reserveKey(Medium medium) {
    return TierKey.RESERVE.of(medium).filter(this::isSet).orElse(TierKey.RESERVE);
  }

  private <T extends Comparable<T>> T bounded(TierKey key, Function<String, T> parser) {
    Bounds bounds = key.bounds().get();
    return parse(key, text -> bounds.parse(text, parser));
  }

  private <T> T parse(TierKey key, Function<String, T> parser) {
    String value = value(key);
    try {
      return parser.apply(value);
    } catch (IllegalArgumentException e) {
      String instead = key.general().orElse(key).defaultValue();
      note(
          "malformed",
          key.key(),
          Quoted.brief(value),
          e.getMessage() + (String.valueOf(e.getMessage()).endsWith("?") ? "" : "."),
          key.valueText().replace("`", ""),
          instead);
      return parser.apply(instead);
    }
  }

  private static List<Medium> media(String text) {
    List<Medium> media = new ArrayList<>();
    for (String name : StringUtils.getTrimmedStrings(text)) {
      Medium medium =
          Medium.parse(name)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "There is no medium "
                              + Quoted.of(name)
                              + NearestName.ofMedium(name)
                                  .map(near -> "; did you mean " + near + "?")
                                  .orElse("")));
      if (media.contains(medium)) {
        throw new IllegalArgumentException(medium + " is named twice");
      }
      media.add(medium);
    }
    return media;
  }

  void note(String name, TierKey key, Object... values) {
    note(name, key.key(), value(key), values);
  }

  /**
   * Notes a finding.
   *
   * @param name of its row in the table {@code findings.txt}
   * @param values what stands in that for {@code {0}}, {@code {1}} and so on
   */
  void note(String name, String key, String value, Object... values) {
    findings.add(FINDINGS.of(name, key, value, origin(key), values));
  }

  Configuration conf() {
    return conf;
  }
}
