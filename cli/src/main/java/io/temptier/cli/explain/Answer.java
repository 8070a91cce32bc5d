// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What {@code explain} has to say. */
record Answer(Question question, List<Explanation> files) {
  /** Sums of one tier. */
  record Sum(Medium medium, long files, long bytes) {
    private Sum plus(Sum other) {
      return new Sum(medium, files + other.files, bytes + other.bytes);
    }
  }

  /** Sums of the files that are there, one for each tier, fastest first. */
  List<Sum> sums() {
    Map<Medium, Sum> sums = new EnumMap<>(Medium.class);
    for (Explanation file : files) {
      LocalDir dir = file.dir();
      if (dir != null && file.exists()) {
        sums.merge(dir.medium(), new Sum(dir.medium(), 1, file.bytes()), Sum::plus);
      }
    }
    return List.copyOf(sums.values());
  }
}
