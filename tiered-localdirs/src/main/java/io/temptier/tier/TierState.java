// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import java.util.List;

/**
 * One tier as placement sees it at one moment.
 *
 * @param tier the tier
 * @param dirs its dirs; never empty
 * @param applicationHeadroomBytes bytes the request's application may still put on the tier, {@link
 *     Long#MAX_VALUE} when shares are off
 */
public record TierState(Tier tier, List<DirState> dirs, long applicationHeadroomBytes) {
  /** The same for files that may fill its dirs to a share of their size only. */
  TierState within(double limit) {
    return limit >= 1
        ? this
        : new TierState(
            tier,
            dirs.stream().map(dir -> dir.within(limit, tier.reserve())).toList(),
            applicationHeadroomBytes);
  }

  /** The dir with the most headroom. */
  public DirState roomiest() {
    DirState best = dirs.get(0);
    for (DirState dir : dirs) {
      if (dir.headroomBytes() > best.headroomBytes()) {
        best = dir;
      }
    }
    return best;
  }
}
