// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import io.temptier.tier.DemotionSettings;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.Tier;
import io.temptier.tier.TierSettings;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cluster that is simulated: equal nodes, each with one fast dir and a slow one without end.
 *
 * @param containers that a node runs at a time
 * @param sortBytes what a map task sorts in memory before it spills
 * @param reduceBytes what a reduce task holds in memory before it writes to disk
 * @param fastSizes sizes of the fast dir to compare, in bytes, at most {@link #MOST_SIZES}
 * @param presentSize the one that nodes have today, of them; null where that is not known
 * @param demotion watermarks and rate
 */
record ClusterModel(
    int nodes,
    int containers,
    long sortBytes,
    long reduceBytes,
    List<Long> fastSizes,
    @Nullable Long presentSize,
    Reserve reserve,
    TierSettings settings,
    DemotionSettings demotion) {
  /** Where a file lies in each of the sizes is one bit of a long. */
  static final int MOST_SIZES = Long.SIZE;

  /** The dir whose sizes are compared. */
  static final LocalDir FAST =
      new LocalDir(Path.of("/fast"), Medium.NVME, LocalDir.NO_CAP, "simulated");

  /** The dir that takes everything. */
  static final LocalDir SLOW =
      new LocalDir(Path.of("/slow"), Medium.DISK, LocalDir.NO_CAP, "simulated");

  ClusterModel {
    fastSizes = fastSizes.stream().sorted().distinct().toList();
    if (fastSizes.isEmpty() || fastSizes.size() > MOST_SIZES) {
      throw new IllegalArgumentException("1 to " + MOST_SIZES + " sizes, not " + fastSizes);
    }
  }

  Tier fastTier() {
    return new Tier(Medium.NVME, List.of(FAST), reserve);
  }

  Tier slowTier() {
    return new Tier(Medium.DISK, List.of(SLOW), Reserve.ofBytes(0));
  }
}
