// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.marker;

import io.temptier.tier.DemotionSettings;
import io.temptier.tier.FillLimits;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.NodeTiers;
import io.temptier.tier.PlacementPolicy;
import io.temptier.tier.Reserve;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.TierSettings;
import io.temptier.tier.os.MountPin;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Turns {@link NodeTiers} into properties and back. Every value is checked on the way back: a
 * marker may be truncated, or written by someone else.
 */
final class MarkerCodec {
  /** Version of the format. A reader ignores markers of any other. */
  static final int VERSION = 2;

  /** More than any node has; a marker that says more is not ours. */
  private static final int MOST = 4096;

  private static final Duration LONGEST = Duration.ofDays(1);
  private static final String VERSION_KEY = "version";
  private static final String LARGE_SIZE = "largeSizeBytes";
  private static final String LIMITS = "fillLimits";
  private static final String DEMOTION = "demotion.";
  private static final String DEMOTES = DEMOTION + "enabled";
  private static final String DEMOTION_RATE = DEMOTION + "bytesPerSecond";

  private MarkerCodec() {}

  static Properties encode(NodeTiers node) {
    Properties out = new Properties();
    out.setProperty(VERSION_KEY, Integer.toString(VERSION));
    List<Tier> tiers = node.layout().tiers();
    out.setProperty("tiers", Integer.toString(tiers.size()));
    for (int t = 0; t < tiers.size(); t++) {
      encodeTier(out, "tier." + t + ".", tiers.get(t));
    }
    TierSettings settings = node.settings();
    out.setProperty("policy", settings.policy().name());
    out.setProperty("unknownSizeBytes", Long.toString(settings.unknownSizeBytes()));
    out.setProperty("appShare", Double.toString(settings.appShare()));
    out.setProperty("hysteresis", Double.toString(settings.hysteresis()));
    out.setProperty("refresh", settings.refresh().toString());
    out.setProperty("claimIdle", settings.claimIdle().toString());
    out.setProperty(LIMITS, settings.limits().toString());
    out.setProperty(LARGE_SIZE, Long.toString(settings.largeSizeBytes()));
    encodeDemotion(out, node.demotion());
    return out;
  }

  private static void encodeDemotion(Properties out, DemotionSettings demotion) {
    out.setProperty(DEMOTES, Boolean.toString(demotion.enabled()));
    out.setProperty(DEMOTION_RATE, Long.toString(demotion.bytesPerSecond()));
    demotion
        .marks()
        .forEach(
            (medium, marks) -> {
              String prefix = DEMOTION + medium + ".";
              out.setProperty(prefix + "high", Double.toString(marks.high()));
              out.setProperty(prefix + "highGiven", Boolean.toString(marks.highGiven()));
              out.setProperty(prefix + "low", Double.toString(marks.low()));
              out.setProperty(prefix + "lowGiven", Boolean.toString(marks.lowGiven()));
            });
  }

  private static void encodeTier(Properties out, String prefix, Tier tier) {
    out.setProperty(prefix + "medium", tier.medium().name());
    out.setProperty(prefix + "reserveFraction", Double.toString(tier.reserve().fraction()));
    out.setProperty(prefix + "reserveBytes", Long.toString(tier.reserve().bytes()));
    out.setProperty(prefix + "dirs", Integer.toString(tier.dirs().size()));
    for (int d = 0; d < tier.dirs().size(); d++) {
      LocalDir dir = tier.dirs().get(d);
      out.setProperty(prefix + d + ".path", dir.path().toString());
      if (dir.capped()) {
        out.setProperty(prefix + d + ".capBytes", Long.toString(dir.capBytes()));
      }
      out.setProperty(prefix + d + ".origin", dir.origin());
      MountPin pin = dir.pin();
      if (pin != null) {
        out.setProperty(prefix + d + ".mountPoint", pin.mountPoint().toString());
        out.setProperty(prefix + d + ".device", Long.toString(pin.device()));
      }
    }
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws IllegalArgumentException with a reason for people, when it cannot be that
   */
  static NodeTiers decode(Properties in) {
    String version = text(in, VERSION_KEY);
    if (!version.equals(Integer.toString(VERSION))) {
      throw new IllegalArgumentException(
          "it has version " + version + ", this TempTier reads version " + VERSION);
    }
    List<Tier> tiers = new ArrayList<>();
    int count = count(in, "tiers");
    for (int t = 0; t < count; t++) {
      tiers.add(decodeTier(in, "tier." + t + "."));
    }
    Duration refresh = Duration.parse(text(in, "refresh"));
    Duration claimIdle = Duration.parse(text(in, "claimIdle"));
    if (refresh.isNegative() || claimIdle.isNegative()) {
      throw new IllegalArgumentException("a duration is negative");
    }
    if (refresh.compareTo(LONGEST) > 0 || claimIdle.compareTo(LONGEST) > 0) {
      // The NodeManager is of a TempTier that took any.
      throw new IllegalArgumentException("a duration is more than " + LONGEST.toDays() + " day");
    }
    return NodeTiers.of(
        TierLayout.of(tiers),
        TierSettings.DEFAULT.toBuilder()
            .policy(PlacementPolicy.Named.valueOf(text(in, "policy")))
            .unknownSizeBytes(bytes(in, "unknownSizeBytes"))
            .appShare(fraction(in, "appShare"))
            .hysteresis(fraction(in, "hysteresis"))
            .refresh(refresh)
            .claimIdle(claimIdle)
            .largeSizeBytes(bytes(in, LARGE_SIZE))
            .limits(FillLimits.parse(text(in, LIMITS)))
            .build(),
        decodeDemotion(in));
  }

  private static DemotionSettings decodeDemotion(Properties in) {
    long rate = bytes(in, DEMOTION_RATE);
    if (rate == 0) {
      throw new IllegalArgumentException(DEMOTION_RATE + " is 0");
    }
    Map<Medium, DemotionSettings.Marks> marks = new EnumMap<>(Medium.class);
    for (Medium medium : Medium.values()) {
      String prefix = DEMOTION + medium + ".";
      marks.put(
          medium,
          DemotionSettings.Marks.of(
              fraction(in, prefix + "high"),
              flag(in, prefix + "highGiven"),
              fraction(in, prefix + "low"),
              flag(in, prefix + "lowGiven")));
    }
    return DemotionSettings.of(flag(in, DEMOTES), marks, rate);
  }

  private static Tier decodeTier(Properties in, String prefix) {
    Medium medium = Medium.valueOf(text(in, prefix + "medium"));
    double reserveFraction = fraction(in, prefix + "reserveFraction");
    long reserveBytes = bytes(in, prefix + "reserveBytes");
    List<LocalDir> dirs = new ArrayList<>();
    int count = count(in, prefix + "dirs");
    for (int d = 0; d < count; d++) {
      Path path = Paths.get(text(in, prefix + d + ".path"));
      if (!path.isAbsolute() || !path.equals(path.normalize())) {
        throw new IllegalArgumentException("dir " + path + " is not absolute and normalised");
      }
      String cap = in.getProperty(prefix + d + ".capBytes");
      dirs.add(
          LocalDir.of(
              path,
              medium,
              cap == null ? LocalDir.NO_CAP : bytes(in, prefix + d + ".capBytes"),
              text(in, prefix + d + ".origin"),
              pin(in, prefix + d)));
    }
    return Tier.of(medium, dirs, Reserve.of(reserveFraction, reserveBytes));
  }

  /** A NodeManager of an earlier release pins nothing. */
  private static @Nullable MountPin pin(Properties in, String prefix) {
    String mountPoint = in.getProperty(prefix + ".mountPoint");
    return mountPoint == null
        ? null
        : MountPin.of(Paths.get(mountPoint), Long.parseLong(text(in, prefix + ".device")));
  }

  private static String text(Properties in, String key) {
    String value = in.getProperty(key);
    if (value == null) {
      throw new IllegalArgumentException("it has no " + key);
    }
    return value;
  }

  private static int count(Properties in, String key) {
    long count = bytes(in, key);
    if (count > MOST) {
      throw new IllegalArgumentException(key + "=" + count + " is more than " + MOST);
    }
    return (int) count;
  }

  private static long bytes(Properties in, String key) {
    long value = Long.parseLong(text(in, key));
    if (value < 0) {
      throw new IllegalArgumentException(key + "=" + value + " is negative");
    }
    return value;
  }

  private static boolean flag(Properties in, String key) {
    String value = text(in, key);
    if (!value.equals("true") && !value.equals("false")) {
      throw new IllegalArgumentException(key + "=" + value + " is neither true nor false");
    }
    return value.equals("true");
  }

  private static double fraction(Properties in, String key) {
    double value = Double.parseDouble(text(in, key));
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(key + "=" + value + " is not within 0..1");
    }
    return value;
  }
}
