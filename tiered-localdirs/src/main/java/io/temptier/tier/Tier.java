// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import java.util.List;

/** Local dirs of one medium. Placement prefers earlier tiers of the {@link TierLayout}. */
@AutoValue
public abstract class Tier {
  public abstract Medium medium();

  /** Dirs, at least one. */
  public abstract List<LocalDir> dirs();

  public abstract Reserve reserve();

  public static Tier of(Medium medium, List<LocalDir> dirs, Reserve reserve) {
    dirs = Immutable.copyOf(dirs);
    if (dirs.isEmpty()) {
      throw new IllegalArgumentException("tier " + medium + " has no dirs");
    }
    return new AutoValue_Tier(medium, dirs, reserve);
  }

  @Override
  public final String toString() {
    return medium().toString();
  }
}
