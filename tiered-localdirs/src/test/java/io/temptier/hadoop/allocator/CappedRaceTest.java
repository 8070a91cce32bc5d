// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertTrue;

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

  @Test
  void stockWritersExceedIt() throws Exception {
    // The machine's own disk is not to be filled.
    filesEach = 2;
    race("stock", fast.toString(), 0);
    assertTrue(count("placed") * FILE_BYTES > TIER_BYTES, "stock knows no cap");
  }
}
