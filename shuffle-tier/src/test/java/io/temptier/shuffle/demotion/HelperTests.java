// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Trees;
import io.temptier.shuffle.demotion.asuser.ApplicationUser;
import io.temptier.shuffle.demotion.asuser.Launch;
import io.temptier.shuffle.demotion.asuser.MoveHelper;
import io.temptier.shuffle.demotion.asuser.UserMover;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests that have helpers move outputs. */
abstract class HelperTests {
  static final long BYTES = 300_000;
  static final long FAST_RATE = 1L << 30;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path temp;

  HelperTestbed bed;

  /** The folders of helpers. */
  Path scratch;

  @BeforeEach
  final void makeBed() throws IOException {
    bed = new HelperTestbed(temp);
    scratch = bed.fast.path().resolve(".temptier/as-user");
  }

  @AfterEach
  final void close() {
    bed.close();
    Eventually.holds("helpers end by themselves", () -> bed.helper().isEmpty());
  }

  final UserMover open(long bytesPerSecond) throws IOException {
    return bed.open(bytesPerSecond, MoveHelper.LAUNCH, PATIENCE);
  }

  /** Has a user put something in the place of helpers. */
  final UserMover openHostile(String does, Duration patience) throws IOException {
    HostileHelper.tell(temp, does);
    Launch own = new Launch(HostileHelper.class, List.of(MoveHelper.class, LocalDir.class));
    return bed.open(FAST_RATE, own, patience);
  }

  final ApplicationUser who() throws IOException {
    return UserMover.owner(bed.fast, TestNode.USER, TestNode.APP, bed.node.uid());
  }

  /** Writes an output into the fast dir. */
  final MapOutputId write(int number) throws IOException {
    return bed.node.write(bed.fast, number, BYTES);
  }

  /** Writes an output, and has it moved. */
  final void assertMoves(UserMover mover, int number) throws Exception {
    assertEquals(bed.slow, bed.move(mover, write(number)));
  }

  static void assertEmpty(Path folder) throws IOException {
    assertEquals(List.of(folder), Trees.below(folder));
  }

  final void assertCount(int expected, DemotionCounter counter) {
    assertEquals(expected, bed.tally.get(counter), bed.troubles::toString);
  }
}
