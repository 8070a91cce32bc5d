// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.demotion.move.OtherDirs;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.policy.FillLimits;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.PlacementPolicy;
import io.temptier.tier.room.capacity.StorageIdentity;
import io.temptier.tier.settings.NodeTiers;
import io.temptier.tier.settings.TierSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * Makes the ways down. All that lead to one file system place by one {@link Placer}, which knows
 * that file system alone: one that hangs is touched by those only who move to it. Safe for use by
 * many threads.
 */
final class MoveLanes {
  private final TierSettings settings;
  private final OtherDirs others;
  private final Moves moves;
  private final Duration stall;
  private final Map<List<LocalDir>, Placer> placers = new ConcurrentHashMap<>();

  MoveLanes(TierSettings settings, OtherDirs others, Moves moves, Duration stall) {
    this.settings = settings;
    this.others = others;
    this.moves = moves;
    this.stall = stall;
  }

  /** The ways to the dirs of a tier, for one dir above. */
  List<MoveLane> to(Tier tier) {
    return pools(tier).stream().map(pool -> lane(tier, pool)).collect(Immutable.toList());
  }

  /** Releases what is claimed, on threads of {@code closing}: a disk that hangs keeps its own. */
  void close(Executor closing) {
    placers.values().forEach(placer -> closing.execute(placer::close));
  }

  private MoveLane lane(Tier tier, List<LocalDir> pool) {
    Placer placer = placers.computeIfAbsent(pool, any -> placer(tier, pool));
    return new MoveLane(pool, placer, moves, stall, System::nanoTime);
  }

  /** The dirs of a tier, those that share their room together. */
  private List<List<LocalDir>> pools(Tier tier) {
    List<Map.Entry<LocalDir, StorageIdentity>> backings = new ArrayList<>();
    for (LocalDir dir : tier.dirs()) {
      StorageIdentity backing;
      try {
        backing = others.look(dir, () -> StorageIdentity.of(dir.path()));
      } catch (IOException e) {
        // It hangs, or is not there.
        backing = StorageIdentity.UNKNOWN;
      }
      backings.add(Immutable.entry(dir, backing));
    }
    return StorageIdentity.together(backings);
  }

  private Placer placer(Tier tier, List<LocalDir> pool) {
    TierSettings fastFirst =
        settings.toBuilder()
            .policy(PlacementPolicy.Named.FAST_FIRST)
            .largeSizeBytes(TierSettings.DEFAULT.largeSizeBytes())
            .limits(FillLimits.NONE)
            .build();
    TierLayout alone =
        TierLayout.of(Immutable.listOf(Tier.of(tier.medium(), pool, tier.reserve())));
    return new Placer(NodeTiers.of(alone, fastFirst), new PlacementListener() {});
  }
}
