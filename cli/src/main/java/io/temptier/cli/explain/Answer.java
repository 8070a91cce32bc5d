// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code explain} has to say.
 *
 * @param question what was asked
 * @param files one explanation for each file
 */
record Answer(Question question, List<Explanation> files) {
  /**
   * Sums of one tier.
   *
   * @param files how many
   * @param bytes their sizes
   */
  record Sum(long files, long bytes) {}

  /** Sums of the files that are there, by tier. */
  Map<Medium, Sum> sums() {
    Map<Medium, Sum> sums = new EnumMap<>(Medium.class);
    for (Explanation file : files) {
      LocalDir dir = file.dir();
      if (dir != null && file.exists()) {
        Sum sum = sums.getOrDefault(dir.medium(), new Sum(0, 0));
        sums.put(dir.medium(), new Sum(sum.files() + 1, sum.bytes() + file.bytes()));
      }
    }
    return sums;
  }
}
