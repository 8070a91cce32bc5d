// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import com.google.auto.value.AutoValue;
import io.temptier.tier.DemotionSettings;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.Tier;
import io.temptier.tier.TierSettings;
import io.temptier.tier.lang.Immutable;
import java.nio.file.Paths;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cluster that is simulated: equal nodes, each with one fast dir and a slow one without end.
 */
@AutoValue
abstract class ClusterModel {

  /** Where a file lies in each of the sizes is one bit of a long. */
  static final int MOST_SIZES = Long.SIZE;

  /** The dir whose sizes are compared. */
  static final LocalDir FAST =
      LocalDir.of(Paths.get("/fast"), Medium.NVME, LocalDir.NO_CAP, "simulated");

  /** The dir that takes everything. */
  static final LocalDir SLOW =
      LocalDir.of(Paths.get("/slow"), Medium.DISK, LocalDir.NO_CAP, "simulated");

  abstract int nodes();

  /** That a node runs at a time. */
  abstract int containers();

  /** What a map task sorts in memory before it spills. */
  abstract long sortBytes();

  /** What a reduce task holds in memory before it writes to disk. */
  abstract long reduceBytes();

  /** Sizes of the fast dir to compare, in bytes, at most {@link #MOST_SIZES}. */
  abstract List<Long> fastSizes();

  /** The one that nodes have today, of them; null where that is not known. */
  abstract @Nullable Long presentSize();

  abstract Reserve reserve();

  abstract TierSettings settings();

  /** Watermarks and rate. */
  abstract DemotionSettings demotion();

  static ClusterModel of(
      int nodes,
      int containers,
      long sortBytes,
      long reduceBytes,
      List<Long> fastSizes,
      @Nullable Long presentSize,
      Reserve reserve,
      TierSettings settings,
      DemotionSettings demotion) {
    fastSizes = fastSizes.stream().sorted().distinct().collect(Immutable.toList());
    if (fastSizes.isEmpty() || fastSizes.size() > MOST_SIZES) {
      throw new IllegalArgumentException("1 to " + MOST_SIZES + " sizes, not " + fastSizes);
    }
    return new AutoValue_ClusterModel(
        nodes,
        containers,
        sortBytes,
        reduceBytes,
        fastSizes,
        presentSize,
        reserve,
        settings,
        demotion);
  }

  Tier fastTier() {
    return Tier.of(Medium.NVME, Immutable.listOf(FAST), reserve());
  }

  Tier slowTier() {
    return Tier.of(Medium.DISK, Immutable.listOf(SLOW), Reserve.ofBytes(0));
  }
}
