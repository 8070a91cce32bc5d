// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.shuffle.demotion.move.Candidate;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.room.FillGauge;
import io.temptier.tier.settings.NodeTiers;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class DirDrainTest extends TwoTiers {
  @Test
  void whatIsInUseStaysUntilOthersTakeTheReserve() throws Exception {
    LocalDir nvme = node.dir(Medium.NVME, "shared", LocalDir.NO_CAP);
    node.writeAll(nvme, 9, MB);
    node.reserve = Reserve.ofBytes(200 * MB);
    FolderDisks disks = new FolderDisks().with(nvme.path(), 1000 * MB);
    disks.othersUse(nvme.path(), 780 * MB);
    Set<MapOutputId> cold = ConcurrentHashMap.newKeySet();
    Set<MapOutputId> moved = ConcurrentHashMap.newKeySet();
    FillGauge gauge = gauge(nvme, disks, System::currentTimeMillis);
    DirDrain drain =
        drain(nvme, gauge, 0.75, each -> moved.add(each.id()), each -> cold.contains(each.id()));
    drain.round(node.users);
    assertEquals(Set.of(), moved, "above the high mark, and all in use");

    cold.add(TestNode.id(3));
    Eventually.holds("the cold one goes", () -> after(drain, moved) > 0);
    assertEquals(Set.of(TestNode.id(3)), moved);

    disks.othersUse(nvme.path(), 795 * MB);
    Eventually.holds("others have the reserve, so that more go", () -> after(drain, moved) > 1);
  }

  private int after(DirDrain drain, Set<MapOutputId> moved) throws IOException {
    drain.round(node.users);
    return moved.size();
  }

  private FillGauge gauge(LocalDir dir, FolderDisks disks, LongSupplier clockMillis) {
    NodeTiers tiers = node.tiers();
    return new FillGauge(dir, tiers.layout().tiers().get(0), tiers.settings(), disks, clockMillis);
  }

  /** A drain whose moves do nothing but tell what they would move. */
  private DirDrain drain(
      LocalDir dir,
      FillGauge gauge,
      double high,
      Consumer<Candidate> moves,
      Predicate<Candidate> cold)
      throws IOException {
    return new DirDrain(
        dir,
        gauge,
        TestNode.settings(high, 0.5, 1).marks(),
        (batch, told) -> {
          batch.forEach(moves.andThen(told));
          batch.clear();
          return MoveResult.MOVED;
        },
        node.uid(),
        new OutputScanner(node, node.context(), new DemotionTally()),
        cold);
  }

  /** What was moved an hour ahead of now is no reason to wait for that hour. */
  @Test
  void aCappedDirIsDrainedOnWhenTheClockWasSetBack() throws Exception {
    LocalDir capped = node.dir(Medium.NVME, "capped", 10 * MB);
    node.writeAll(capped, 9, MB);
    long hour = Duration.ofHours(1).toMillis();
    AtomicLong clockMillis = new AtomicLong(System.currentTimeMillis() + hour);
    AtomicLong moves = new AtomicLong();
    FolderDisks disks = new FolderDisks().with(capped.path(), 1000 * MB);
    FillGauge gauge = gauge(capped, disks, clockMillis::get);
    DirDrain drain = drain(capped, gauge, 0.8, each -> moves.incrementAndGet(), each -> true);
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
