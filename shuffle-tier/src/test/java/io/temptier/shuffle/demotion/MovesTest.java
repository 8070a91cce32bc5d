// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.shuffle.demotion.move.Candidate;
import io.temptier.shuffle.demotion.move.OutputMover;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.placer.Placer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two disks below NVMe, and a slower tier below them; writing to some of them fails. */
class MovesTest extends TwoTiers {
  private final AtomicLong clockNanos = new AtomicLong();
  private final DemotionTally tally = new DemotionTally();
  private final Set<LocalDir> failing = new HashSet<>();
  private final List<Placer> placers = new ArrayList<>();
  private LocalDir bad;
  private LocalDir good;
  private Moves moves;
  private List<List<Moves.Lane>> ways = List.of();
  private int number;

  @BeforeEach
  void dirs() throws IOException {
    bad = node.dir(Medium.SSD, "bad", LocalDir.NO_CAP);
    good = node.dir(Medium.SSD, "good", LocalDir.NO_CAP);
    OutputMover mover = node.mover();
    node.busy = this::failAtTheCopy;
    moves =
        new Moves(
            node.tiers().settings(),
            node.context(),
            node,
            tally,
            candidate -> mover,
            application -> {},
            Demoter.STALL,
            clockNanos::get);
    ways = List.of(List.of(lane(bad), lane(good)), List.of(lane(slow)));
  }

  private boolean failAtTheCopy(LocalDir to) {
    Path copy = node.file(to, TestNode.id(number)).resolveSibling(Candidate.COPY);
    if (failing.contains(to) && Files.exists(copy)) {
      throw new UncheckedIOException(new IOException("Input/output error"));
    }
    return false;
  }

  @AfterEach
  void close() {
    placers.forEach(Placer::close);
  }

  private Moves.Lane lane(LocalDir dir) {
    Placer placer = node.placer(dir::equals);
    placers.add(placer);
    return new Moves.Lane(List.of(dir), placer);
  }

  private MoveResult move() throws IOException {
    MapOutputId id = node.write(fast, ++number, BYTES);
    List<Candidate> batch = new ArrayList<>(List.of(node.candidate(fast, id)));
    return moves.move(ways, () -> false, batch, moved -> {});
  }

  @Test
  void oneThatFailsLeavesItToTheOtherOfItsTierAndRests() throws IOException {
    failing.add(bad);
    for (int move = 0; move < 6; move++) {
      assertEquals(MoveResult.MOVED, move());
      assertTrue(node.holds(good, TestNode.id(number)));
    }
    assertEquals(1, tally.get(DemotionCounter.DEMOTION_FAILURES));
    failing.clear();
    clockNanos.addAndGet(Duration.ofMinutes(1).toNanos());
    for (int move = 0; move < 2; move++) {
      assertEquals(MoveResult.MOVED, move());
    }
    assertTrue(
        node.holds(bad, TestNode.id(number)) || node.holds(bad, TestNode.id(number - 1)),
        "it has its turn again");
  }

  @Test
  void nothingSinksFurtherForAFailure() throws IOException {
    failing.addAll(List.of(bad, good));
    assertEquals(MoveResult.FAILED, move());
    assertEquals(2, tally.get(DemotionCounter.DEMOTION_FAILURES));
    assertEquals(MoveResult.BUSY, move(), "while both rest");
    assertEquals(2, tally.get(DemotionCounter.DEMOTION_FAILURES));
    failing.clear();
    clockNanos.addAndGet(Duration.ofMinutes(1).toNanos());
    assertEquals(MoveResult.MOVED, move());
    for (int each = 1; each <= number; each++) {
      assertEquals(each < number, node.holds(fast, TestNode.id(each)));
      assertFalse(node.holds(slow, TestNode.id(each)));
    }
  }

  @Test
  void nothingSinksFurtherForABusyDisk() throws IOException {
    node.busy = List.of(bad, good)::contains;
    assertEquals(MoveResult.BUSY, move());
    assertTrue(node.holds(fast, TestNode.id(number)));
    node.busy = bad::equals;
    assertEquals(MoveResult.MOVED, move());
    assertTrue(node.holds(good, TestNode.id(number)));
  }
}
