// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
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

/** What files cost by Spark, on the fast tier, and behind a link. */
@BenchmarkMode(Mode.AverageTime)
@Fork(value = 2, jvmArgsAppend = SparkOnTwoTiers.STOCK_UNLESS_PLUGGED)
@State(Scope.Benchmark)
public class PlacementBenchmark {
  /** One less than those for which Spark sorts. */
  private static final int PARTITIONS = 199;

  private static final List<Integer> ROWS = IntStream.range(0, 10 * PARTITIONS).boxed().toList();

  @Param({"stock", "fast", "spilled"})
  String placed = "stock";

  private @Nullable SparkOnTwoTiers tiers;

  @Setup
  public void startSpark() throws IOException {
    tiers = SparkOnTwoTiers.start(placed);
  }

  /** Names a sorted run of a task, makes its file and deletes it. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  @Warmup(iterations = 3, time = 2)
  @Measurement(iterations = 5, time = 2)
  public boolean block() throws IOException {
    DiskBlockManager blocks = Objects.requireNonNull(tiers).blocks();
    Tuple2<TempShuffleBlockId, File> block = blocks.createTempShuffleBlock();
    // As Spark opens it.
    new FileOutputStream(block._2, true).close();
    return block._2.delete();
  }

  /**
   * A map task that writes a file for each of 199 partitions and merges them, and a task that reads
   * one: 201 files. A job of 1.2 s is 10,000 files a minute.
   */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  @Warmup(iterations = 5, time = 3)
  @Measurement(iterations = 5, time = 3)
  public List<Tuple2<Integer, Integer>> manyFiles() {
    JavaPairRDD<Integer, Integer> rows =
        Objects.requireNonNull(tiers)
            .spark()
            .parallelize(ROWS, 1)
            .mapToPair(row -> new Tuple2<>(row, row));
    return rows.partitionBy(new HashPartitioner(PARTITIONS)).take(1);
  }

  @TearDown
  public void end() {
    Objects.requireNonNull(tiers).close();
  }
}
