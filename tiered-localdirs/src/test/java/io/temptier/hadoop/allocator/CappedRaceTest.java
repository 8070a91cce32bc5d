// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import org.junit.jupiter.api.Test;

/** The fast tier is a folder with a cap of 512 MB. */
class CappedRaceTest extends WriterRace {
  @Override
  LocalDir makeFast() {
    return LocalDir.of(temp.resolve("fast"), Medium.NVME, TIER_BYTES, "test");
  }

  @Test
  void tieredWritersNeverExceedTheCap() throws Exception {
    neverOvercommit(TIER_BYTES);
  }

  @Test
  void stockWritersExceedIt() throws Exception {
    // The machine's own disk is not to be filled.
    filesEach = 2;
    race("stock", fast.toString());
    assertTrue(count("placed") * FILE_BYTES > TIER_BYTES, "stock knows no cap");
  }

  @Test
  void aPausedProcessKeepsItsClaim() throws Exception {
    pausedKeepsItsClaim();
    // What is below a cap is known by a walk: the writer before may have left room for a file.
    long written = count("wrote") * FILE_BYTES;
    assertTrue(written + FILE_BYTES <= TIER_BYTES, "its room was given to another: " + written);
  }
}
