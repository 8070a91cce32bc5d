// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import io.temptier.fixtures.Need;
import io.temptier.fixtures.Needs.NeedsCompiler;
import io.temptier.fixtures.sweep.Protocol;
import io.temptier.fixtures.sweep.Sweep;
import io.temptier.hadoop.node.BlockMove;
import io.temptier.hadoop.node.NodeStart;
import io.temptier.tier.claim.LedgersKept;
import io.temptier.tier.journal.NodeLines;
import io.temptier.tier.placer.PlacementWithClaim;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever call fails, whoever dies, stops or loses power: no byte is lost, nothing is left. */
@NeedsCompiler
class TierSweptCallsTest {
  private static final List<Class<? extends Protocol>> PROTOCOLS =
      List.of(
          BlockMove.class,
          BlockMove.BlockMoveOfSlowHome.class,
          BlockMove.BlockMoveBesideAnother.class,
          BlockMove.OrphansDeleted.class,
          NodeStart.class,
          NodeStart.NodeSwitchOff.class,
          NodeLines.class,
          LedgersKept.class,
          LedgersKept.AmongOthers.class,
          PlacementWithClaim.class,
          PlacementWithClaim.PlacementBesideClaim.class);

  @Test
  void invariantsHoldAtEachCall(@TempDir Path folder) throws IOException {
    List<Class<? extends Protocol>> all = new ArrayList<>(PROTOCOLS);
    if (Need.ROOT.missing().isEmpty()) {
      all.add(BlockMove.BlockMoveAsUser.class);
    }
    Sweep.run(folder, all);
  }
}
