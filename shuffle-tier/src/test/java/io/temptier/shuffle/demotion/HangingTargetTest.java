// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.HangingDisk;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.NeedsBindfs;
import io.temptier.fixtures.NeedsLoopDisk;
import io.temptier.shuffle.demotion.asuser.UserProcesses;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.demotion.MoveStep;
import io.temptier.tier.settings.DemotionSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A slow disk that answers nothing stops demotion to it, and nothing else. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HangingTargetTest {
  private static final long MB = TestNode.MB;

  @TempDir Path temp;

  private final FolderDisks disks = new FolderDisks();
  private TestNode node = new TestNode(Path.of("/"));
  private LocalDir fast = LocalDir.of(Path.of("/"), Medium.NVME, 0, "");
  private LocalDir other = fast;
  private volatile MoveStep.Observer observer = step -> {};
  private Optional<UserProcesses> asUsers = Optional.empty();

  @BeforeEach
  void fastDirs() throws IOException {
    node = new TestNode(temp);
    fast = dir(Medium.NVME, Files.createDirectory(temp.resolve("nvme")), 10 * MB);
    other = dir(Medium.NVME, Files.createDirectory(temp.resolve("nvme2")), 10 * MB);
  }

  private LocalDir dir(Medium medium, Path path, long bytes) throws IOException {
    LocalDir dir = node.dir(medium, path, LocalDir.NO_CAP);
    disks.with(path, bytes);
    return dir;
  }

  private Demoter start() {
    // A flush on a busy disk takes seconds, too.
    return start(Duration.ofSeconds(10));
  }

  private Demoter start(Duration stall) {
    DemotionSettings settings = TestNode.settings(0.8, 0.1, 1L << 30);
    Demoter demoter =
        new Demoter(
            node.tiers(settings),
            node.rate(settings),
            id -> 0,
            node.moved::add,
            dir -> false,
            node::running,
            (application, bytes) -> {},
            () -> asUsers,
            disks,
            step -> observer.reached(step),
            stall);
    demoter.start();
    return demoter;
  }

  @Test
  @NeedsLoopDisk
  void aFrozenOneStopsNeitherOtherDirsNorOtherTargetsNorTheEnd() throws Exception {
    try (LoopDisk disk = LoopDisk.create(temp, 64 * MB)) {
      LocalDir frozen = dir(Medium.DISK, disk.path(), 1000 * MB);
      LocalDir good = dir(Medium.DISK, Files.createDirectory(temp.resolve("good")), 1000 * MB);
      node.startApplication(TestNode.APP);
      CountDownLatch copying = new CountDownLatch(1);
      AtomicBoolean once = new AtomicBoolean();
      observer =
          step -> {
            if (step == MoveStep.COPY_STARTED
                && !partial(frozen).isEmpty()
                && once.compareAndSet(false, true)) {
              disk.freeze();
              copying.countDown();
            }
          };
      for (int number = 0; number < 9; number++) {
        node.write(fast, number, MB);
        node.write(other, 10 + number, MB);
      }
      Demoter demoter = start();
      try {
        assertTrue(copying.await(2, TimeUnit.MINUTES), "nothing was moved to the disk to freeze");
        Eventually.holds(
            "the other disk takes what is left of both",
            () -> {
              demoter.wake();
              return holds(good, 0) + holds(good, 10) + holds(frozen, 0) + holds(frozen, 10) >= 14;
            });
        assertEquals(0, demoter.get(DemotionCounter.DEMOTION_FAILURES));
      } finally {
        long began = System.nanoTime();
        demoter.close();
        assertTrue(System.nanoTime() - began < TimeUnit.MINUTES.toNanos(2), "the end waited");
        assertEquals(1, demoter.get(DemotionCounter.DEMOTION_RUNNING), "no move hangs");
        disk.thaw();
      }
      Eventually.holds("what hung is taken back", () -> node.temporary().isEmpty());
      for (int number : List.of(0, 8, 10, 18)) {
        byte[] data = TestNode.readAsStock(node.dirs, TestNode.id(number));
        assertEquals(MB, data.length);
      }
    }
  }

  /** Not even a look-up comes back. */
  @Test
  @NeedsBindfs
  void oneThatAnswersNothingStopsNeitherOtherTargetsNorTheEnd() throws Exception {
    try (HangingDisk disk = HangingDisk.create(temp, "hung")) {
      dir(Medium.DISK, disk.path(), 1000 * MB);
      LocalDir good = dir(Medium.DISK, Files.createDirectory(temp.resolve("good")), 1000 * MB);
      node.startApplication(TestNode.APP);
      writeNineOutputs();
      // Its index is nowhere: who looks for it asks the disk that hangs.
      Files.delete(node.file(fast, TestNode.id(0)).resolveSibling(MapOutputId.INDEX));
      disk.hang();
      Demoter demoter = start();
      try {
        awaitMoved(demoter, good, 6);
        demoter.applicationEnded(TestNode.APP);
        demoter.close();
      } finally {
        disk.recover();
      }
    }
  }

  /** What was moved there before is looked at when the application is looked through. */
  @Test
  @NeedsBindfs
  void afterARestartItStopsNoDemotionFromAFastDir() throws Exception {
    try (HangingDisk disk = HangingDisk.create(temp, "hung")) {
      LocalDir hung = dir(Medium.DISK, disk.path(), 1000 * MB);
      LocalDir good = dir(Medium.DISK, Files.createDirectory(temp.resolve("good")), 1000 * MB);
      node.startApplication(TestNode.APP);
      MapOutputId moved = node.write(hung, 20, MB);
      link(fast, hung, moved);
      writeNineOutputs();
      disk.hang();
      Demoter demoter = start();
      try {
        awaitMoved(demoter, good, 6);
        assertEquals(0, demoter.get(DemotionCounter.DEMOTION_FAILURES));
        demoter.close();
      } finally {
        disk.recover();
      }
    }
  }

  /** Above the dirs that are drained, where a link to each output could be. */
  @Test
  @NeedsBindfs
  void aFasterOneStopsNoDemotionBelow() throws Exception {
    try (HangingDisk disk = HangingDisk.create(temp, "hung")) {
      dir(Medium.RAM_DISK, disk.path(), 1000 * MB);
      LocalDir good = dir(Medium.DISK, Files.createDirectory(temp.resolve("good")), 1000 * MB);
      node.startApplication(TestNode.APP);
      writeNineOutputs();
      AtomicBoolean once = new AtomicBoolean();
      observer =
          step -> {
            if (step == MoveStep.COPY_STARTED && once.compareAndSet(false, true)) {
              disk.hang();
            }
          };
      Demoter demoter = start(Duration.ofMinutes(1));
      try {
        awaitMoved(demoter, good, 7);
        assertEquals(0, demoter.get(DemotionCounter.DEMOTION_FAILURES));
        demoter.close();
      } finally {
        disk.recover();
      }
    }
  }

  @Test
  @NeedsBindfs
  void whatItDidNotTellIsAskedAgainLater() throws Exception {
    try (HangingDisk disk = HangingDisk.create(temp, "hung")) {
      LocalDir hung = dir(Medium.SSD, disk.path(), 1000 * MB);
      LocalDir good = dir(Medium.DISK, Files.createDirectory(temp.resolve("good")), 1000 * MB);
      node.startApplication(TestNode.APP);
      MapOutputId twice = node.write(good, 0, MB);
      link(hung, good, twice);
      link(fast, hung, twice);
      AtomicLong clockNanos = new AtomicLong();
      Leftovers leftovers = node.leftovers(new OtherDirs(Duration.ofMillis(100), clockNanos::get));
      disk.hang();
      try {
        assertThrows(
            OtherDirs.NoAnswerException.class,
            () -> leftovers.remove(fast, TestNode.USER, TestNode.APP));
        assertEquals(node.file(hung, twice), Files.readSymbolicLink(node.file(fast, twice)));
      } finally {
        disk.recover();
      }
      Eventually.holds(
          "the link leads to the data",
          () -> {
            clockNanos.addAndGet(OtherDirs.REST_NANOS);
            try {
              leftovers.remove(fast, TestNode.USER, TestNode.APP);
            } catch (OtherDirs.NoAnswerException e) {
              return false;
            }
            return Files.readSymbolicLink(node.file(fast, twice)).equals(node.file(good, twice));
          });
    }
  }

  /** What helpers are told lies there. */
  @Test
  @NeedsBindfs
  void aFastestOneWithAHelpersOrdersDoesNotStopTheEnd() throws Exception {
    node = new TestNode(temp);
    try (HangingDisk disk = HangingDisk.create(temp, "hung")) {
      fast = dir(Medium.NVME, disk.path(), 10 * MB);
      dir(Medium.DISK, Files.createDirectory(temp.resolve("good")), 1000 * MB);
      writeNineOutputs();
      for (LocalDir dir : node.dirs) {
        try (Stream<Path> all = Files.walk(dir.path().resolve("usercache"))) {
          for (Path path : all.toList()) {
            Files.setAttribute(path, "unix:uid", 1);
          }
        }
      }
      asUsers = Optional.of(new DirectProcesses());
      Demoter demoter = start();
      try {
        Eventually.holds(
            "a helper has had orders, and refused them",
            () -> {
              demoter.wake();
              return demoter.get(DemotionCounter.DEMOTIONS_GIVEN_UP) > 0;
            });
        assertEquals(0, demoter.get(DemotionCounter.HELPER_FAILURES));
        disk.hang();
        CompletableFuture<Void> ended = CompletableFuture.runAsync(demoter::close);
        Eventually.holds("the end does not wait for the disk", ended::isDone);
      } finally {
        disk.recover();
      }
    }
  }

  private void writeNineOutputs() throws IOException {
    for (int number = 0; number < 9; number++) {
      node.write(fast, number, MB);
    }
  }

  private void awaitMoved(Demoter demoter, LocalDir to, int outputs) throws Exception {
    Eventually.holds(
        to + " takes " + outputs,
        () -> {
          demoter.wake();
          return holds(to, 0) >= outputs;
        });
  }

  private void link(LocalDir from, LocalDir to, MapOutputId id) throws IOException {
    Path link = node.file(from, id);
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, node.file(to, id));
  }

  private int holds(LocalDir dir, int first) {
    int found = 0;
    for (int number = first; number < first + 9; number++) {
      found += node.holds(dir, TestNode.id(number)) ? 1 : 0;
    }
    return found;
  }

  private List<Path> partial(LocalDir dir) {
    return IntStream.range(0, 20)
        .mapToObj(number -> node.file(dir, TestNode.id(number)).resolveSibling(MovePaths.COPY))
        .filter(Files::exists)
        .toList();
  }
}
