// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.marker;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.os.MountPin;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Turns {@link NodeTiers} into properties and back. Every value is checked on the way back: a
 * marker may be truncated, or written by someone else.
 */
final class MarkerCodec {
  /** Version of the format. A reader ignores markers of any other. */
  static final int VERSION = 3;

  /** More than any node has; a marker that says more is not ours. */
  private static final int MOST = 4096;

  private static final String VERSION_KEY = "version";

  private MarkerCodec() {}

  static Properties encode(NodeTiers node) {
    Properties out = new Properties();
    out.setProperty(VERSION_KEY, Integer.toString(VERSION));
    List<Tier> tiers = node.layout().tiers();
    out.setProperty("tiers", Integer.toString(tiers.size()));
    for (int t = 0; t < tiers.size(); t++) {
      encodeTier(out, "tier." + t + ".", tiers.get(t));
    }
    node.settings().byName().forEach((name, value) -> out.setProperty(name, value.toString()));
    encodeDemotion(out, node.demotion());
    return out;
  }

  private static void encodeDemotion(Properties out, DemotionSettings demotion) {
    out.setProperty("demotion.enabled", Boolean.toString(demotion.enabled()));
    out.setProperty("demotion.bytesPerSecond", Long.toString(demotion.bytesPerSecond()));
    out.setProperty("demotion.coldAfterMillis", Long.toString(demotion.coldAfter().toMillis()));
    DemotionSettings.Marks marks = demotion.marks();
    out.setProperty("demotion.high", Double.toString(marks.high()));
    out.setProperty("demotion.highGiven", Boolean.toString(marks.highGiven()));
    out.setProperty("demotion.low", Double.toString(marks.low()));
    out.setProperty("demotion.lowGiven", Boolean.toString(marks.lowGiven()));
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

  /** Reads what {@link #encode} wrote; throws with a reason for people when it cannot be that. */
  static NodeTiers decode(Properties properties) {
    CheckedProperties in = new CheckedProperties(properties);
    String version = in.text(VERSION_KEY);
    if (!version.equals(Integer.toString(VERSION))) {
      throw new IllegalArgumentException(
          "it has version " + version + ", this TempTier reads version " + VERSION);
    }
    List<Tier> tiers = new ArrayList<>();
    long count = in.number("tiers", MOST);
    for (int t = 0; t < count; t++) {
      tiers.add(decodeTier(in, "tier." + t + "."));
    }
    return NodeTiers.of(TierLayout.of(tiers), TierSettings.read(in), decodeDemotion(in));
  }

  private static DemotionSettings decodeDemotion(CheckedProperties in) {
    long rate = in.number("demotion.bytesPerSecond");
    if (rate == 0) {
      throw new IllegalArgumentException("demotion.bytesPerSecond is 0");
    }
    DemotionSettings.Marks marks =
        DemotionSettings.Marks.of(
            in.fraction("demotion.high"),
            in.flag("demotion.highGiven"),
            in.fraction("demotion.low"),
            in.flag("demotion.lowGiven"));
    Duration coldAfter = Duration.ofMillis(in.number("demotion.coldAfterMillis"));
    return DemotionSettings.of(in.flag("demotion.enabled"), marks, rate, coldAfter);
  }

  private static Tier decodeTier(CheckedProperties in, String prefix) {
    Medium medium = Medium.valueOf(in.text(prefix + "medium"));
    double reserveFraction = in.fraction(prefix + "reserveFraction");
    long reserveBytes = in.number(prefix + "reserveBytes");
    List<LocalDir> dirs = new ArrayList<>();
    long count = in.number(prefix + "dirs", MOST);
    for (int d = 0; d < count; d++) {
      Path path = Paths.get(in.text(prefix + d + ".path"));
      if (!path.isAbsolute() || !path.equals(path.normalize())) {
        throw new IllegalArgumentException("dir " + path + " is not absolute and normalised");
      }
      String cap = in.find(prefix + d + ".capBytes");
      dirs.add(
          LocalDir.of(
              path,
              medium,
              cap == null ? LocalDir.NO_CAP : in.number(prefix + d + ".capBytes"),
              in.text(prefix + d + ".origin"),
              pin(in, prefix + d)));
    }
    return Tier.of(medium, dirs, Reserve.of(reserveFraction, reserveBytes));
  }

  /** Reads a dir's pin; null where the mount could not be pinned. */
  private static @Nullable MountPin pin(CheckedProperties in, String prefix) {
    String mountPoint = in.find(prefix + ".mountPoint");
    return mountPoint == null
        ? null
        : MountPin.of(Paths.get(mountPoint), Long.parseLong(in.text(prefix + ".device")));
  }
}
