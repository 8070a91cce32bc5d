// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.FileKind;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.policy.Reason;
import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In tasks of a real Spark. */
class TaskSpillsTest {
  private static final long UNKNOWN = 64 << 20;
  private static final List<Path> COMPLETE = new CopyOnWriteArrayList<>();
  private static final TaskSpills SPILLS = new TaskSpills((name, bytes) -> COMPLETE.add(bytes));

  private static final AtomicReference<@Nullable Tiers> TIERS = new AtomicReference<>();

  private static final AtomicReference<@Nullable TaskContext> ENDED = new AtomicReference<>();

  private static @Nullable JavaSparkContext spark;

  @TempDir Path temp;

  @BeforeAll
  static void start() {
    spark = new JavaSparkContext(Tiers.local("spills"));
  }

  @AfterAll
  static void stop() {
    Objects.requireNonNull(spark).close();
  }

  @Test
  void theNextRunIsAsLargeAsTheLastOne() {
    String dir = temp.toString();
    List<Long> told =
        run(
            (task, expected) -> {
              TaskSpills.OfTask spills = SPILLS.of(task);
              expected.add(spills.next(true, UNKNOWN));
              spills.add(file(dir, "first", 3000), true);
              expected.add(spills.next(true, UNKNOWN));
              spills.add(file(dir, "second", 5000), true);
              expected.add(spills.next(true, UNKNOWN));
              spills.add(file(dir, "local", 7000), false);
              expected.add(spills.next(false, UNKNOWN));
              assertTrue(COMPLETE.contains(Path.of(dir, "local")), "settled before the next");
              expected.add(spills.mergedBytes());
            });
    assertEquals(List.of(0L, 3000L, 5000L, 0L, 8000L), told);
    assertTrue(COMPLETE.containsAll(List.of(temp.resolve("first"), temp.resolve("second"))));
  }

  @Test
  void theNextRunGrowsWithTheMemoryOfItsTask() {
    String dir = temp.toString();
    List<Long> told =
        run(
            (task, expected) -> {
              hold(task, 10_000);
              SPILLS.of(task).add(file(dir, "small", 3000), true);
              hold(task, 10_000);
              expected.add(SPILLS.of(task).next(true, UNKNOWN));
              SPILLS.of(task).add(file(dir, "large", 6000), true);
              // Both runs, and what is in memory still.
              expected.add(SPILLS.of(task).mergedBytes());
            });
    assertEquals(List.of(6000L, 29_000L), told);
  }

  @Test
  void aRunOfATaskGoesWhereAllItHoldsFits() throws Exception {
    try (Tiers tiers = new Tiers(temp, 4 * Tiers.UNKNOWN_BYTES)) {
      TIERS.set(tiers);
      run(
          (task, expected) -> {
            TieredDiskBlockManager manager = Objects.requireNonNull(TIERS.get()).manager;
            hold(task, 8 * Tiers.UNKNOWN_BYTES);
            write(manager.createTempLocalBlock()._2());
            // A small run tells nothing of the next, nor do files of partitions that are open.
            manager.createTempShuffleBlock();
            manager.createTempShuffleBlock();
            write(manager.createTempLocalBlock()._2());
            File output = manager.getFile("shuffle_0_1_0.data");
            write(manager.createTempFileWith(output));
          });
      assertEquals(3, Tiers.files(tiers.slow).size());
      assertEquals(List.of(), Tiers.files(tiers.fast));
    }
  }

  /** A partition without a record has no file; Spark deletes what there is. */
  @Test
  void aLinkWhoseFileIsNeverWrittenGoesWithItsTask() throws Exception {
    try (Tiers tiers = new Tiers(temp, 1000)) {
      TIERS.set(tiers);
      run(
          (task, expected) -> {
            TieredDiskBlockManager manager = Objects.requireNonNull(TIERS.get()).manager;
            File output = manager.getFile("shuffle_0_1_0.data");
            for (int i = 0; i < 20; i++) {
              manager.createTempShuffleBlock();
              manager.createTempFileWith(output);
            }
          });
      assertEquals(List.of(), Tiers.links(temp));
    }
  }

  /** Which Spark deletes by its path when its task fails, and moves when it becomes an output. */
  @Test
  void aRunWhoseLinkIsDeletedGoesWithATaskThatFails() throws Exception {
    String output = temp.resolve("output").toString();
    try (Tiers tiers = new Tiers(temp, 1000)) {
      TIERS.set(tiers);
      run((task, expected) -> Files.move(writtenRun().toPath(), Path.of(output)));
      assertEquals(1, Files.size(Path.of(output)));
    }
    // The next name of the same executor would be one of a home on the slow disk.
    Path other = Files.createDirectory(temp.resolve("other"));
    try (Tiers tiers = new Tiers(other, 1000)) {
      TIERS.set(tiers);
      assertThrows(
          SparkException.class,
          () ->
              run(
                  (task, expected) -> {
                    Files.delete(writtenRun().toPath());
                    throw new IOException("fails");
                  }));
      assertEquals(List.of(), Tiers.files(other));
    }
  }

  private static File writtenRun() throws IOException {
    File run = Objects.requireNonNull(TIERS.get()).manager.createTempShuffleBlock()._2();
    write(run);
    assertTrue(Files.isSymbolicLink(run.toPath()));
    return run;
  }

  /** Its own thread is at its end, and one that reads for a process of Python's goes on. */
  @Test
  void aThreadOfATaskThatIsOverMayWriteOn() {
    run((task, expected) -> ENDED.set(task));
    SPILLS.of(Objects.requireNonNull(ENDED.get())).add(temp.resolve("late"), true);
  }

  @Test
  void filesThatAreOpenedAtOnceAskForLittleMoreThanOne() {
    String dir = temp.toString();
    List<Long> told =
        run(
            (task, expected) -> {
              for (int i = 0; i < 200; i++) {
                expected.add(SPILLS.of(task).next(true, UNKNOWN));
                SPILLS.of(task).add(file(dir, "partition" + i, 0), true);
              }
            });
    assertEquals(0L, told.get(0));
    assertTrue(told.stream().mapToLong(bytes -> bytes).sum() < UNKNOWN, told.toString());
    assertTrue(COMPLETE.contains(temp.resolve("partition199")), "the task has ended");
  }

  /** What a task does, and what it is told to expect. */
  private interface Work extends Serializable {
    void in(TaskContext task, List<Long> expected) throws IOException;
  }

  private static List<Long> run(Work work) {
    return Objects.requireNonNull(spark)
        .parallelize(List.of(1), 1)
        .map(
            any -> {
              List<Long> expected = new ArrayList<>();
              work.in(TaskContext.get(), expected);
              return expected;
            })
        .first();
  }

  /** Takes memory of the executor for the task. */
  private static void hold(TaskContext task, long bytes) {
    MemoryConsumer consumer =
        new MemoryConsumer(task.taskMemoryManager(), 1 << 20, MemoryMode.ON_HEAP) {
          @Override
          public long spill(long size, MemoryConsumer trigger) {
            return 0;
          }
        };
    assertEquals(bytes, consumer.acquireMemory(bytes));
  }

  private static void write(File file) throws IOException {
    Files.write(file.toPath(), new byte[1]);
  }

  private static Path file(String dir, String name, int bytes) throws IOException {
    return Files.write(Path.of(dir, name), new byte[bytes]);
  }

  private static final long MOST = 1 << 20;
  private static final Placement PLACEMENT =
      Placement.of(
          LocalDir.of(Path.of("/x"), Medium.DISK, LocalDir.NO_CAP, "test"),
          Reason.FASTEST,
          List.of());

  private final ExpectedSizes sizes = new ExpectedSizes(MOST);
  private long tickets;

  private void written(String group, long bytes) {
    PlacementRequest request = PlacementRequest.of("x", FileKind.SPILL, 64, false, null, tickets++);
    sizes.writing(request, group);
    sizes.settled(request, PLACEMENT, bytes);
  }

  @Test
  void nineOfTenAreNoLargerThanExpected() {
    for (long i = 1; i <= 10; i++) {
      written("stage 1", i * 100L);
    }
    assertEquals(900, sizes.expected("stage 1"));
    assertEquals(0, sizes.expected("stage 2"));
  }

  @Test
  void twoFilesAndEmptyOnesTellNothing() {
    written("stage 1", 100);
    written("stage 1", 100);
    written("stage 1", 0);
    assertEquals(0, sizes.expected("stage 1"));
    written("stage 1", 100);
    assertEquals(100, sizes.expected("stage 1"));
  }

  @Test
  void theLastFilesTellAndNoneIsExpectedToBeLargerThanTheBound() {
    for (int i = 0; i < 3; i++) {
      written("stage 1", 10 * MOST);
    }
    assertEquals(MOST, sizes.expected("stage 1"));
    for (int i = 0; i < 32; i++) {
      written("stage 1", 5);
    }
    assertEquals(5, sizes.expected("stage 1"));
  }

  @Test
  void groupsThatAreNotUsedAreForgotten() {
    for (int i = 0; i < 3; i++) {
      written("first", 7);
    }
    for (int i = 0; i < 1000; i++) {
      written("stage " + i, 7);
    }
    assertEquals(0, sizes.expected("first"));
  }
}
