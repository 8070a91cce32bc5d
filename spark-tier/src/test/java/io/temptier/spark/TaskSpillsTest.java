// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In tasks of a real Spark. */
class TaskSpillsTest {
  private static final long UNKNOWN = 64 << 20;
  private static final List<Path> COMPLETE = new CopyOnWriteArrayList<>();
  private static final TaskSpills SPILLS = new TaskSpills(COMPLETE::add, (name, bytes) -> {});

  @TempDir Path temp;

  @Test
  void theNextRunIsAsLargeAsTheLastOne() {
    String[] dir = {temp.toString()};
    List<Long> told =
        run(
            task -> {
              List<Long> expected = new ArrayList<>();
              expected.add(SPILLS.next(task, UNKNOWN));
              SPILLS.add(task, file(dir[0], "first", 3000), true);
              expected.add(SPILLS.next(task, UNKNOWN));
              SPILLS.add(task, file(dir[0], "second", 5000), false);
              expected.add(SPILLS.next(task, UNKNOWN));
              expected.add(SPILLS.mergedBytes(task));
              return expected;
            });
    assertEquals(List.of(0L, 3000L, 5000L, 3000L), told);
    assertTrue(COMPLETE.containsAll(List.of(temp.resolve("first"), temp.resolve("second"))));
  }

  @Test
  void filesThatAreOpenedAtOnceAskForLittleMoreThanOne() {
    String[] dir = {temp.toString()};
    List<Long> told =
        run(
            task -> {
              List<Long> expected = new ArrayList<>();
              for (int i = 0; i < 200; i++) {
                expected.add(SPILLS.next(task, UNKNOWN));
                SPILLS.add(task, file(dir[0], "partition" + i, 0), true);
              }
              return expected;
            });
    assertEquals(0L, told.get(0));
    assertTrue(told.stream().mapToLong(bytes -> bytes).sum() < UNKNOWN, told.toString());
    assertTrue(COMPLETE.contains(temp.resolve("partition199")), "the task has ended");
  }

  /** What a task does. */
  private interface Work extends Serializable {
    List<Long> in(TaskContext task);
  }

  private static List<Long> run(Work work) {
    SparkConf conf =
        new SparkConf(false)
            .setMaster("local[1]")
            .setAppName("spills")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1");
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      return spark.parallelize(List.of(1), 1).map(any -> work.in(TaskContext.get())).first();
    }
  }

  private static Path file(String dir, String name, int bytes) {
    try {
      return Files.write(Path.of(dir, name), new byte[bytes]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
