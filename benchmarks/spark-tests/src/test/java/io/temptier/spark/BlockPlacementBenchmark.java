// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.spark.storage.DiskBlockManager;
import org.apache.spark.storage.TempShuffleBlockId;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import scala.Tuple2;

/**
 * What it takes to name a sorted run of a task, make its file and delete it: by Spark, on the fast
 * tier, and behind a link.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 2, jvmArgsAppend = TwoTiers.STOCK_UNLESS_PLUGGED)
@State(Scope.Benchmark)
public class BlockPlacementBenchmark {
  @Param({"stock", "fast", "moved", "spilled"})
  String manager = "stock";

  private @Nullable TwoTiers tiers;

  @Setup
  public void startSpark() throws IOException {
    tiers = TwoTiers.start(manager);
  }

  /** Names, makes and deletes. */
  @Benchmark
  public boolean run() throws IOException {
    DiskBlockManager blocks = Objects.requireNonNull(tiers).blocks();
    Tuple2<TempShuffleBlockId, File> block = blocks.createTempShuffleBlock();
    // As Spark opens it.
    new FileOutputStream(block._2, true).close();
    return block._2.delete();
  }

  @TearDown
  public void end() {
    Objects.requireNonNull(tiers).close();
  }
}
