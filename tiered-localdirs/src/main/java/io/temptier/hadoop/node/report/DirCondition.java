// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node.report;

import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import io.temptier.tier.claim.ClaimSweep;
import java.util.List;
import java.util.Optional;

@AutoValue
public abstract class DirCondition {
  abstract LocalDir dir();

  /** Set if its disk is not mounted; with the remedy. */
  abstract Optional<String> whyLost();

  /** Reason why it, or TempTier's folder in it, cannot be used; with the remedy if known. */
  public abstract Optional<String> trouble();

  /** Folders in it whose bytes cannot be counted. */
  abstract long foldersNotListed();

  /** Claims in it that were deleted since the start, by user. */
  abstract List<ClaimSweep.Swept> claimsDeleted();

  public static DirCondition of(
      LocalDir dir,
      Optional<String> whyLost,
      Optional<String> trouble,
      long foldersNotListed,
      List<ClaimSweep.Swept> claimsDeleted) {
    return new AutoValue_DirCondition(dir, whyLost, trouble, foldersNotListed, claimsDeleted);
  }
}
