// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import io.temptier.testing.ManualClock;
import io.temptier.tier.claim.Claims;
import io.temptier.tier.marker.DemotionSettings;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.marker.TierSettings;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.os.ProcessTable;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.policy.DirState;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.TierState;
import io.temptier.tier.room.DirGauge;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Layouts, settings and a procfs for tests. */
public final class Layouts {
  public static final TierSettings SETTINGS = TierSettings.DEFAULT;

  private Layouts() {}

  public static LocalDir dir(Path path, Medium medium) {
    return dir(path, medium, LocalDir.NO_CAP);
  }

  public static LocalDir dir(Path path, Medium medium, long cap) {
    return LocalDir.of(path, medium, cap, "test");
  }

  public static NodeTiers tiers(Reserve reserve, TierSettings settings, LocalDir... dirs) {
    return NodeTiers.of(
        TierLayout.of(List.of(dirs), List.of(Medium.values()), medium -> reserve), settings);
  }

  /** Tiers without a reserve, relieved above one fill, down to another. */
  public static NodeTiers relieved(double high, double low, LocalDir... dirs) {
    NodeTiers plain = tiers(Reserve.ofBytes(0), SETTINGS, dirs);
    DemotionSettings.Marks marks = DemotionSettings.Marks.of(high, true, low, true);
    return NodeTiers.of(
        plain.layout(),
        plain.settings(),
        DemotionSettings.of(true, marks, 1L << 30, Duration.ZERO));
  }

  public static TierState tier(DirState... dirs) {
    List<LocalDir> members = Stream.of(dirs).map(DirState::dir).toList();
    Tier tier = Tier.of(members.get(0).medium(), members, Reserve.DEFAULT);
    return TierState.of(tier, List.of(dirs));
  }

  /** Makes a dir with a folder of claims, as the NodeManager does. */
  public static Path root(Path path) throws IOException {
    Files.createDirectories(claimsOf(path));
    return path;
  }

  public static Path claimsOf(Path root) {
    return NodeMarker.claims(root);
  }

  /** Makes a file as long as that, which takes no room. */
  public static Path sparse(Path path, long bytes) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(bytes);
    }
    return path;
  }

  /** Adds a process to a procfs at {@code proc}. */
  public static void process(Path proc, long pid, char state, long startTicks) throws IOException {
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

  public static Claims claims(Path folder, Path proc, ManualClock clock) {
    return new Claims(folder, new ProcessTable(proc), clock::millis);
  }

  /** The only dir of its tier. */
  public static DirGauge gauge(
      LocalDir dir, Reserve reserve, Capacity.Probe disk, Claims claims, ManualClock clock) {
    Tier tier = Tier.of(dir.medium(), List.of(dir), reserve);
    return new DirGauge(dir, tier, SETTINGS, disk, claims, clock::millis, clock::nanos);
  }

  /** The tiers of a node of two local dirs, NVMe over an HDD, with the same reserve each. */
  public static NodeTiers tiers(Path fast, Path slow, Reserve reserve, TierSettings settings) {
    return tiers(reserve, settings, dir(fast, Medium.NVME), dir(slow, Medium.DISK));
  }

  /** Sets two dirs up as the NodeManager does: a folder of claims and a marker. */
  public static NodeTiers publish(Path fast, Path slow, Reserve reserve, TierSettings settings)
      throws IOException {
    NodeTiers tiers = tiers(fast, slow, reserve, settings);
    for (Path root : List.of(fast, slow)) {
      root(root);
      NodeMarker.write(root, tiers);
    }
    return tiers;
  }

  /** Where a process that starts now places a file of a megabyte. */
  public static Placement place(NodeTiers tiers) {
    try (Placer placer = new Placer(tiers, new PlacementListener() {})) {
      return place(placer, "file", 1 << 20).placement();
    }
  }

  /** Places a file that is not written. */
  public static Placer.Placed place(Placer placer, String name, long bytes) {
    return placer
        .place(placer.request(name, bytes, null), dir -> dir.path().resolve(name))
        .orElseThrow();
  }
}
