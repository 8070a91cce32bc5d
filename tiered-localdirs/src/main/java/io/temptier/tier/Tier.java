// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import java.util.List;

/**
 * The local dirs of one medium. Placement prefers an earlier tier of the {@link TierLayout} over a
 * later one.
 *
 * @param medium what every dir of the tier lies on
 * @param dirs at least one dir
 * @param reserve what is kept free on each dir's file system
 */
public record Tier(Medium medium, List<LocalDir> dirs, Reserve reserve) {
  public Tier {
    dirs = List.copyOf(dirs);
    if (dirs.isEmpty()) {
      throw new IllegalArgumentException("tier " + medium + " has no dirs");
    }
  }

  @Override
  public String toString() {
    return medium.toString();
  }
}
