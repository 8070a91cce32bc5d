// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
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
 * A map task that writes a file for each of 199 partitions and merges them, and a task that reads
 * one: 201 files. A job of 1.2 s is 10,000 files a minute.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 3)
@Measurement(iterations = 5, time = 3)
@Fork(value = 2, jvmArgsAppend = TwoTiers.STOCK_UNLESS_PLUGGED)
@State(Scope.Benchmark)
public class ManyFilesBenchmark {
  /** One less than those for which Spark sorts. */
  private static final int PARTITIONS = 199;

  private static final List<Integer> ROWS = IntStream.range(0, 10 * PARTITIONS).boxed().toList();

  @Param({"stock", "fast", "moved", "spilled"})
  String placed = "stock";

  private @Nullable TwoTiers tiers;

  @Setup
  public void startSpark() throws IOException {
    tiers = TwoTiers.start(placed);
  }

  /** Runs the job. */
  @Benchmark
  public List<Tuple2<Integer, Integer>> run() {
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
