// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import io.temptier.testing.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Layouts, settings and a procfs for tests. */
final class Layouts {
  static final TierSettings NO_HYSTERESIS = settings(0, 1);

  private Layouts() {}

  static TierSettings settings(double hysteresis, double appShare) {
    return new TierSettings(
        PlacementPolicy.Named.FAST_FIRST,
        64L << 20,
        appShare,
        hysteresis,
        Duration.ofSeconds(1),
        Duration.ofSeconds(30));
  }

  static LocalDir dir(Path path, Medium medium) {
    return dir(path, medium, LocalDir.NO_CAP);
  }

  static LocalDir dir(Path path, Medium medium, long cap) {
    return new LocalDir(path, medium, cap, "test");
  }

  static NodeTiers tiers(Reserve reserve, TierSettings settings, LocalDir... dirs) {
    return new NodeTiers(
        TierLayout.of(List.of(dirs), List.of(Medium.values()), medium -> reserve), settings);
  }

  /** Makes a dir with a folder of claims, as the NodeManager does. */
  static Path root(Path path) throws IOException {
    Files.createDirectories(claimsOf(path));
    return path;
  }

  static Path claimsOf(Path root) {
    return NodeMarker.claims(root);
  }

  /** Adds a process to a procfs at {@code proc}. */
  static void process(Path proc, long pid, char state, long startTicks) throws IOException {
    Path dir = Files.createDirectories(proc.resolve(Long.toString(pid)));
    Files.writeString(
        dir.resolve("stat"),
        pid
            + " (a (b) c) "
            + state
            + " 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 "
            + startTicks
            + " 20 21\n");
  }

  static Claims claims(Path folder, Path proc, ManualClock clock) {
    return new Claims(folder, new ProcessTable(proc), clock::millis);
  }
}
