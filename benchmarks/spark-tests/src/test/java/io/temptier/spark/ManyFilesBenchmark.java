// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.commons.io.FileUtils;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
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
@Fork(2)
@State(Scope.Benchmark)
public class ManyFilesBenchmark {
  /** One less than those for which Spark sorts. */
  private static final int PARTITIONS = 199;

  private static final List<Integer> ROWS = IntStream.range(0, 10 * PARTITIONS).boxed().toList();

  @Param({"stock", "fast", "spilled"})
  String placed = "stock";

  private Path temp = Path.of("");
  private @Nullable JavaSparkContext spark;

  @Setup
  public void startSpark() throws IOException {
    temp = Files.createTempDirectory("files");
    Path fast = Files.createDirectory(temp.resolve("fast"));
    Path slow = Files.createDirectory(temp.resolve("slow"));
    SparkConf conf =
        new SparkConf(false)
            .setMaster("local[1]")
            .setAppName("files")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.local.dir", slow + "," + fast);
    if (!placed.equals("stock")) {
      String tag = placed.equals("fast") ? "[NVME]" : "[NVME:1k]";
      conf.set("spark.plugins", TierPlugin.class.getName());
      conf.set(SparkTiers.DIRS_KEY, tag + fast + ",[DISK]" + slow);
    }
    spark = new JavaSparkContext(conf);
    spark.setLogLevel("WARN");
  }

  /** Runs the job. */
  @Benchmark
  public List<Tuple2<Integer, Integer>> run() {
    JavaSparkContext context = spark;
    if (context == null) {
      throw new IllegalStateException("no Spark");
    }
    JavaPairRDD<Integer, Integer> rows =
        context.parallelize(ROWS, 1).mapToPair(row -> new Tuple2<>(row, row));
    return rows.partitionBy(new HashPartitioner(PARTITIONS)).take(1);
  }

  @TearDown
  public void end() {
    if (spark != null) {
      spark.close();
    }
    FileUtils.deleteQuietly(temp.toFile());
  }
}
