// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.slow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.kernel.DiskLoad;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What must hold whatever disks do. A failure names its seed. */
class SlowDirsPropertyTest {
  private static final int WINDOWS = 1_000;

  static LongStream seeds() {
    return LongStream.concat(LongStream.of(20251121), new Random().longs(15));
  }

  private static final class Node {
    final Random random;
    final TierLayout layout;
    final Map<LocalDir, Set<String>> disks = new HashMap<>();
    final Map<String, DiskLoad> loads = new HashMap<>();
    final SlowDirs decision;

    Node(long seed) {
      random = new Random(seed);
      List<LocalDir> dirs = new ArrayList<>();
      for (Medium medium : Medium.values()) {
        for (int i = random.nextInt(3); i > 0; i--) {
          LocalDir dir = Layouts.dir(Path.of("/" + medium + i), medium);
          dirs.add(dir);
          Set<String> names = new HashSet<>();
          for (int d = random.nextInt(4); d > 0; d--) {
            names.add("disk" + random.nextInt(12));
          }
          disks.put(dir, names);
        }
      }
      layout = TierLayout.of(dirs, List.of(Medium.values()), medium -> Reserve.DEFAULT);
      decision = new SlowDirs(layout);
    }

    void spin() {
      for (int i = 0; i < 12; i++) {
        if (random.nextInt(3) == 0) {
          loads.put("disk" + i, load());
        }
        if (random.nextInt(30) == 0) {
          loads.remove("disk" + i);
        }
      }
    }

    DiskLoad load() {
      long ios = random.nextInt(5) == 0 ? random.nextInt(20) : random.nextInt(5_000);
      double await = Math.exp(random.nextDouble() * 8 - 1);
      return new DiskLoad(
          ios, (long) (ios * await), ios << random.nextInt(20), random.nextInt(10_000), 0);
    }

    /** Whether the dir could be told to be slow in this window, by its own figures alone. */
    boolean suspect(LocalDir dir) {
      return disks.getOrDefault(dir, Set.of()).stream()
          .map(disk -> loads.getOrDefault(disk, DiskLoad.NONE))
          .anyMatch(
              load ->
                  load.ios() >= SlowDirs.LEAST_IOS && load.awaitMillis() > SlowDirs.FLOOR_MILLIS);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void onlyWhatWasSuspectForThreeWindowsTurnsSlowAndTheSlowestTierNever(long seed) {
    Node node = new Node(seed);
    Map<LocalDir, Integer> suspect = new HashMap<>();
    List<Tier> tiers = node.layout.tiers();
    Set<LocalDir> slow = new HashSet<>();
    for (int w = 0; w < WINDOWS; w++) {
      node.spin();
      for (LocalDir dir : node.layout.dirs()) {
        suspect.merge(dir, 1, (n, one) -> n + one);
        if (!node.suspect(dir)) {
          suspect.put(dir, 0);
        }
      }
      for (SlowDirs.Change change : node.decision.window(node.disks, node.loads)) {
        LocalDir dir = change.dir();
        assertEquals(change.slow(), slow.add(dir), "seed " + seed + ": told twice, " + change);
        if (change.slow()) {
          assertTrue(suspect.getOrDefault(dir, 0) >= SlowDirs.BAD_WINDOWS, "seed " + seed);
          assertTrue(change.figures().isPresent(), "seed " + seed + ": no figures, " + change);
          Medium below = change.figures().orElseThrow().below();
          assertTrue(below.compareTo(dir.medium()) > 0, "seed " + seed + ": " + change);
        } else {
          slow.remove(dir);
        }
      }
      for (LocalDir dir : node.layout.dirs()) {
        assertEquals(slow.contains(dir), node.decision.slow(dir), "seed " + seed);
      }
      if (!tiers.isEmpty()) {
        assertTrue(
            tiers.get(tiers.size() - 1).dirs().stream().noneMatch(slow::contains),
            "seed " + seed + ": nothing is left to go to");
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void everySlowDirIsTriedAgainWithinAnHourOfQuiet(long seed) {
    Node node = new Node(seed);
    for (int w = 0; w < WINDOWS; w++) {
      node.spin();
      node.decision.window(node.disks, node.loads);
    }
    node.loads.clear();
    for (int w = 0; w < SlowDirs.CALM_WINDOWS << SlowDirs.MOST_DOUBLINGS; w++) {
      node.decision.window(node.disks, node.loads);
    }
    assertTrue(node.layout.dirs().stream().noneMatch(node.decision::slow), "seed " + seed);
  }

  /** The worst for placement: sick whenever it is used, idle whenever it is not. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aDirThatIsSickOnlyWhenUsedDoesNotFlap(long seed) {
    Random random = new Random(seed);
    LocalDir fast = Layouts.dir(Path.of("/fast"), Medium.NVME);
    LocalDir slow = Layouts.dir(Path.of("/slow"), Medium.DISK);
    SlowDirs decision =
        new SlowDirs(Layouts.tiers(Reserve.DEFAULT, Layouts.NO_HYSTERESIS, fast, slow).layout());
    Map<LocalDir, Set<String>> disks = Map.of(fast, Set.of("a"), slow, Set.of("b"));
    int changes = 0;
    int used = 0;
    int windows = 20_000;
    for (int w = 0; w < windows; w++) {
      boolean shifted = decision.slow(fast);
      used += shifted ? 0 : 1;
      DiskLoad sick = new DiskLoad(100, 100L * (21 + random.nextInt(1_000)), 1, 10_000, 0);
      changes +=
          decision
              .window(
                  disks,
                  Map.of(
                      "a",
                      shifted ? DiskLoad.NONE : sick,
                      "b",
                      new DiskLoad(100, 1_000, 100_000_000, 1_000, 0)))
              .size();
    }
    // Six doublings, then once an hour.
    int most = 2 * (8 + windows / (SlowDirs.CALM_WINDOWS << SlowDirs.MOST_DOUBLINGS));
    assertTrue(changes <= most, changes + " changes, seed " + seed);
    assertTrue(used <= SlowDirs.BAD_WINDOWS * most, used + " windows on it, seed " + seed);
    assertFalse(changes == 0, "seed " + seed);
  }
}
