// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.fixtures.Need;
import io.temptier.fixtures.Needs.NeedsCompiler;
import io.temptier.fixtures.sweep.Protocol;
import io.temptier.fixtures.sweep.Sweep;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever call fails, whoever dies, stops or loses power: no byte is lost, nothing is left. */
@NeedsCompiler
class ShuffleSweptCallsTest {
  @Test
  void invariantsHoldAtEachCall(@TempDir Path folder) throws IOException {
    List<Class<? extends Protocol>> all = new ArrayList<>(List.of(MapOutputMove.class));
    all.addAll(MoreMoves.ALL);
    if (Need.ROOT.missing().isEmpty()) {
      all.add(MoreMoves.MoveAsUser.class);
    }
    Sweep.run(folder, all);
  }
}
