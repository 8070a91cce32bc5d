// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.policy;

import com.google.auto.value.AutoValue;
import io.temptier.tier.Tier;
import io.temptier.tier.lang.Immutable;
import java.util.List;

/** A tier as placement sees it at one moment. */
@AutoValue
public abstract class TierState {
  public abstract Tier tier();

  /** Dirs; never empty. */
  public abstract List<DirState> dirs();

  public static TierState of(Tier tier, List<DirState> dirs) {
    return new AutoValue_TierState(tier, dirs);
  }

  /**
   * Returns the dir for files that may fill its dirs to a share of their size only, and file
   * systems to another share.
   */
  TierState within(double limit, double ofDisk) {
    return limit >= 1 && ofDisk >= 1
        ? this
        : TierState.of(
            tier(),
            dirs().stream()
                .map(dir -> dir.within(limit, ofDisk, tier().reserve()))
                .collect(Immutable.toList()));
  }

  public DirState roomiest() {
    DirState best = dirs().get(0);
    for (DirState dir : dirs()) {
      if (dir.headroomBytes() > best.headroomBytes()) {
        best = dir;
      }
    }
    return best;
  }
}
