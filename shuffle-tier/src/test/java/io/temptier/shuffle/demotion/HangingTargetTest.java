// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.HangingDisk;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsBindfs;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A disk that answers nothing stops demotion to it, and nothing else. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HangingTargetTest extends TwoTiers {
  private final FolderDisks disks = new FolderDisks();
  private LocalDir other;

  @BeforeEach
  void disks() throws IOException {
    disks.with(fast.path(), 10 * MB).with(slow.path(), 1000 * MB);
    other = dir(Medium.NVME, Files.createDirectory(temp.resolve("nvme2")), 10 * MB);
  }

  private LocalDir dir(Medium medium, Path path, long bytes) throws IOException {
    disks.with(path, bytes);
    return node.dir(medium, path, LocalDir.NO_CAP);
  }

  private Demoter start() {
    // A flush on a busy disk takes seconds, too.
    return node.start(TestNode.settings(0.8, 0.1, 1L << 30), disks, Duration.ofSeconds(10));
  }

  /** Disks are gone before the end, with what lies on them. */
  @Override
  void invariantsHold() {}

  @Test
  @NeedsLoopDisk
  void aFrozenOneStopsNeitherOtherDirsNorOtherTargetsNorTheEnd() throws Exception {
    try (LoopDisk disk = LoopDisk.create(temp, "frozen", 64 * MB)) {
      LocalDir frozen = dir(Medium.DISK, disk.path(), 1000 * MB);
      CountDownLatch copying = new CountDownLatch(1);
      AtomicBoolean once = new AtomicBoolean();
      node.busy =
          dir -> {
            if (!partial(frozen).isEmpty() && once.compareAndSet(false, true)) {
              assertDoesNotThrow(disk::freeze);
              copying.countDown();
            }
            return false;
          };
      for (int number = 0; number < 9; number++) {
        node.write(fast, number, MB);
        node.write(other, 10 + number, MB);
      }
      Demoter demoter = start();
      try {
        assertTrue(copying.await(2, TimeUnit.MINUTES), "nothing was moved to the disk to freeze");
        TestNode.await(
            "the other disk takes what is left of both",
            demoter,
            () -> holds(slow, 0) + holds(slow, 10) + holds(frozen, 0) + holds(frozen, 10) >= 14);
        assertEquals(0, demoter.get(DemotionCounter.DEMOTION_FAILURES));
      } finally {
        long began = System.nanoTime();
        demoter.close();
        assertTrue(System.nanoTime() - began < TimeUnit.MINUTES.toNanos(2), "the end waited");
        assertEquals(1, demoter.get(DemotionCounter.DEMOTION_RUNNING), "no move hangs");
        disk.thaw();
      }
      Eventually.holds("what hung is taken back", () -> node.temporary().isEmpty());
      super.invariantsHold();
      for (int number : List.of(0, 8, 10, 18)) {
        byte[] data = TestOutputs.readAsStock(node.dirs, TestNode.id(number));
        assertEquals(MB, data.length);
      }
    }
  }

  /** Not even a look-up comes back. */
  @Test
  @NeedsBindfs
  void oneThatAnswersNothingStopsNeitherOtherTargetsNorTheEnd() throws Exception {
    try (HangingDisk disk = hanging(Medium.DISK)) {
      node.writeAll(fast, 9, MB);
      // Its index is nowhere: who looks for it asks the disk that hangs.
      Files.delete(node.file(fast, TestNode.id(0)).resolveSibling(MapOutputId.INDEX));
      disk.hang();
      assertMovesOn(disk);
    }
  }

  private HangingDisk hanging(Medium medium) throws IOException {
    HangingDisk disk = HangingDisk.create(temp, "hung");
    dir(medium, disk.path(), 1000 * MB);
    return disk;
  }

  /** A task made a link to it in an attempt's place. */
  @Test
  @NeedsBindfs
  void whoLooksForLeftoversFollowsNoLinkToIt() throws Exception {
    try (HangingDisk disk = HangingDisk.create(temp, "hung")) {
      node.write(fast, 1, MB);
      Path attempt = node.file(fast, TestNode.id(2)).getParent();
      Files.createSymbolicLink(attempt, disk.path());
      FutureTask<Integer> looking = new FutureTask<>(node::clean);
      disk.hang();
      try {
        new Thread(looking).start();
        assertEquals(0, looking.get(2, TimeUnit.MINUTES));
      } finally {
        disk.recover();
      }
    }
  }

  /** What a move left there that was killed is looked for. */
  @Test
  @NeedsBindfs
  void afterARestartItStopsNoDemotionFromAFastDir() throws Exception {
    try (HangingDisk disk = hanging(Medium.DISK)) {
      MapOutputId killed = node.write(fast, 20, MB);
      Path copy = disk.path().resolve(killed.relativePath()).resolve(MapOutputId.DATA);
      Files.createSymbolicLink(node.file(fast, killed).resolveSibling(Candidate.LINK), copy);
      node.writeAll(fast, 9, MB);
      disk.hang();
      assertMovesOn(disk);
    }
  }

  /** A batch that hangs there cannot be killed. */
  @Test
  @NeedsBindfs
  void oneThatHangsInABatchDoesNotStopTheEnd() throws Exception {
    try (HangingDisk disk = hanging(Medium.SSD)) {
      node.writeAll(fast, 9, MB);
      for (LocalDir dir : node.dirs) {
        node.give(dir, 1);
      }
      node.asUsers = Optional.of(new DirectProcesses());
      Demoter demoter = start();
      try {
        TestNode.await(
            "a batch began", demoter, () -> demoter.get(DemotionCounter.HELPER_STARTS) > 0);
        disk.hang();
        CompletableFuture<Void> ended = CompletableFuture.runAsync(demoter::close);
        Eventually.holds("the end does not wait for the disk", ended::isDone);
      } finally {
        disk.recover();
      }
    }
  }

  /** What is on the fast dir goes to the slow one; neither that nor the end waits for the other. */
  private void assertMovesOn(HangingDisk disk) throws Exception {
    Demoter demoter = start();
    try {
      TestNode.await(slow + " takes them", demoter, () -> holds(slow, 0) >= 6);
      assertEquals(0, demoter.get(DemotionCounter.DEMOTION_FAILURES));
      demoter.applicationEnded(TestNode.APP);
      demoter.close();
    } finally {
      disk.recover();
    }
  }

  private int holds(LocalDir dir, int first) {
    IntStream outputs = IntStream.range(first, first + 9);
    return (int) outputs.filter(number -> node.holds(dir, TestNode.id(number))).count();
  }

  private List<Path> partial(LocalDir dir) {
    return IntStream.range(0, 20)
        .mapToObj(number -> node.file(dir, TestNode.id(number)).resolveSibling(Candidate.COPY))
        .filter(Files::exists)
        .toList();
  }
}
