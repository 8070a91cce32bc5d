// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.shuffle.demotion.move.MoveContext;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.room.FillGauge;
import io.temptier.tier.settings.NodeTiers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DirDrainTest extends TwoTiers {
  private static final long MB = TestNode.MB;

  /** What was moved an hour ahead of now is no reason to wait for that hour. */
  @Test
  void aCappedDirIsDrainedOnWhenTheClockWasSetBack() throws Exception {
    LocalDir capped = node.dir(Medium.NVME, "capped", 10 * MB);
    node.writeAll(capped, 9, MB);
    NodeTiers tiers = node.tiers();
    MoveContext context = node.context(new Pace(1));
    long hour = Duration.ofHours(1).toMillis();
    AtomicLong clockMillis = new AtomicLong(System.currentTimeMillis() + hour);
    AtomicLong moves = new AtomicLong();
    DirDrain drain =
        new DirDrain(
            capped,
            new FillGauge(
                capped,
                tiers.layout().tiers().get(0),
                tiers.settings(),
                new FolderDisks().with(capped.path(), 1000 * MB),
                clockMillis::get),
            TestNode.settings(0.8, 0.5, 1).marksOf(Medium.NVME),
            candidate -> {
              moves.incrementAndGet();
              return MoveResult.MOVED;
            },
            new OutputScanner(id -> 0, context, folder -> {}, failure -> {}));
    drain.round(node.users);
    long first = moves.get();
    assertTrue(first > 0, "nothing was moved");
    drain.round(node.users);
    assertEquals(first, moves.get(), "the dir was not counted since");
    clockMillis.addAndGet(-hour);
    // Nothing was in fact moved, so that there is as much to move as before.
    Eventually.holds(
        "it is drained on",
        () -> {
          clockMillis.incrementAndGet();
          drain.round(node.users);
          return moves.get() > first;
        });
  }
}
