// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.Reserve;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The fast tier is a folder with a cap of 512 MB. */
class CappedRaceTest extends WriterRace {
  @BeforeEach
  void makeDirs() throws IOException {
    mark(temp.resolve("fast"), TIER_BYTES, Reserve.ofBytes(0));
  }

  @Test
  void tieredWritersNeverExceedTheCap() throws Exception {
    neverOvercommit(TIER_BYTES);
  }

  @Test
  void stockWritersExceedIt() throws Exception {
    race("stock", fast.toString());
    assertTrue(count("placed") * FILE_BYTES > TIER_BYTES, "stock knows no cap");
  }

  @Test
  void aPausedProcessKeepsItsClaim() throws Exception {
    pausedKeepsItsClaim();
  }
}
