// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.demotion.MoveStep;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.room.FillGauge;
import io.temptier.tier.settings.NodeTiers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two disks below NVMe, and a slower tier below them; writing to some of them fails. */
class MoveRouterTest {
  private static final long BYTES = 100_000;

  @TempDir Path temp;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicLong clockNanos = new AtomicLong();
  private final DemotionTally tally = new DemotionTally();
  private final Set<LocalDir> failing = new HashSet<>();
  private final List<Placer> placers = new ArrayList<>();
  private TestNode node = new TestNode(Path.of("/"));
  private LocalDir fast = LocalDir.of(Path.of("/"), Medium.NVME, 0, "");
  private LocalDir bad = fast;
  private LocalDir good = fast;
  private LocalDir last = fast;
  private int number;

  @BeforeEach
  void dirs() throws IOException {
    node = new TestNode(temp);
    fast = node.dir(Medium.NVME, "nvme", LocalDir.NO_CAP);
    bad = node.dir(Medium.SSD, "bad", LocalDir.NO_CAP);
    good = node.dir(Medium.SSD, "good", LocalDir.NO_CAP);
    last = node.dir(Medium.DISK, "last", LocalDir.NO_CAP);
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    placers.forEach(Placer::close);
  }

  private MoveRouter router() throws IOException {
    OutputMover mover =
        new OutputMover(
            FileStamp.of(temp).uid(),
            node.dirs,
            new Pace(1L << 30),
            new EndedFolders(System::nanoTime),
            step -> {
              for (LocalDir dir : failing) {
                Path copy = node.file(dir, TestNode.id(number)).resolveSibling(MovePaths.COPY);
                if (step == MoveStep.COPY_STARTED && Files.exists(copy)) {
                  throw new IOException("Input/output error");
                }
              }
            });
    Moves moves =
        new Moves(
            mover,
            new OutputUse(),
            new LiveApplications(node::running),
            dir -> false,
            new Pace(1L << 30),
            tally,
            new ErrorLog(tally),
            (application, bytes) -> {},
            id -> {},
            id -> {});
    return new MoveRouter(
        List.of(List.of(lane(bad, moves), lane(good, moves)), List.of(lane(last, moves))),
        moves,
        tally);
  }

  private MoveLane lane(LocalDir dir, Moves moves) {
    Tier tier = Tier.of(dir.medium(), List.of(dir), Reserve.ofBytes(0));
    Placer placer =
        new Placer(
            NodeTiers.of(TierLayout.of(List.of(tier)), node.tiers().settings()),
            new PlacementListener() {});
    placers.add(placer);
    return new MoveLane(
        List.of(dir), () -> placer, moves, threads, Duration.ofMinutes(10), clockNanos::get);
  }

  private MoveResult move(MoveRouter router) throws IOException {
    MapOutputId id = node.write(fast, ++number, BYTES);
    Tier tier = Tier.of(fast.medium(), List.of(fast), Reserve.ofBytes(0));
    return router.move(
        Candidate.of(id, fast, FileStamp.of(node.file(fast, id)), 0),
        new FillGauge(fast, tier, node.tiers().settings()));
  }

  @Test
  void oneThatFailsLeavesItToTheOtherOfItsTierAndRests() throws IOException {
    failing.add(bad);
    MoveRouter router = router();
    for (int moves = 0; moves < 6; moves++) {
      assertEquals(MoveResult.MOVED, move(router));
      assertTrue(node.holds(good, TestNode.id(number)));
    }
    assertEquals(1, tally.get(DemotionCounter.DEMOTION_FAILURES));
    failing.clear();
    clockNanos.addAndGet(Duration.ofMinutes(1).toNanos());
    for (int moves = 0; moves < 2; moves++) {
      assertEquals(MoveResult.MOVED, move(router));
    }
    assertTrue(
        node.holds(bad, TestNode.id(number)) || node.holds(bad, TestNode.id(number - 1)),
        "it has its turn again");
  }

  @Test
  void nothingSinksFurtherForAFailure() throws IOException {
    failing.addAll(List.of(bad, good));
    MoveRouter router = router();
    assertEquals(MoveResult.FAILED, move(router));
    assertEquals(2, tally.get(DemotionCounter.DEMOTION_FAILURES));
    assertEquals(MoveResult.BUSY, move(router), "while both rest");
    assertEquals(2, tally.get(DemotionCounter.DEMOTION_FAILURES));
    failing.clear();
    clockNanos.addAndGet(Duration.ofMinutes(1).toNanos());
    assertEquals(MoveResult.MOVED, move(router));
    for (int each = 1; each <= number; each++) {
      assertEquals(each < number, node.holds(fast, TestNode.id(each)));
      assertFalse(node.holds(last, TestNode.id(each)));
    }
  }
}
