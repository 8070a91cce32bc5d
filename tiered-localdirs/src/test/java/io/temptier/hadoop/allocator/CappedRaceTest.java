// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import org.junit.jupiter.api.Test;

/** The fast tier is a folder with a cap of 512 MB. */
class CappedRaceTest extends WriterRace {
  @Override
  LocalDir makeFast() {
    return Layouts.dir(temp.resolve("fast"), Medium.NVME, TIER_BYTES);
  }

  @Test
  void tieredWritersNeverExceedTheCap() throws Exception {
    neverOvercommit(TIER_BYTES);
  }
}
