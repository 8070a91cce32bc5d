// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.commons.io.FileUtils;
import org.apache.spark.SparkConf;
import org.apache.spark.storage.DiskBlockManager;
import org.apache.spark.storage.TempShuffleBlockId;
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
@Fork(2)
@State(Scope.Benchmark)
public class BlockPlacementBenchmark {
  @Param({"stock", "fast", "spilled"})
  String manager = "stock";

  private Path temp = Path.of("");

  @SuppressWarnings("NullAway.Init")
  private DiskBlockManager blocks;

  @Setup
  public void make() throws IOException, ReflectiveOperationException {
    temp = Files.createTempDirectory("placement");
    Path fast = Files.createDirectory(temp.resolve("fast"));
    Path slow = Files.createDirectory(temp.resolve("slow"));
    SparkConf conf = new SparkConf(false).set("spark.local.dir", fast + "," + slow);
    blocks =
        switch (manager) {
          case "fast" -> SuiteManagers.tiered(conf, true, true, Long.MAX_VALUE);
          case "spilled" -> SuiteManagers.tiered(conf, true, true, 1);
          default -> new DiskBlockManager(conf, true, true);
        };
  }

  /** Names, makes and deletes. */
  @Benchmark
  public boolean run() throws IOException {
    Tuple2<TempShuffleBlockId, File> block = blocks.createTempShuffleBlock();
    // As Spark opens it.
    new FileOutputStream(block._2, true).close();
    return block._2.delete();
  }

  @TearDown
  public void end() throws IOException {
    blocks.stop();
    FileUtils.deleteDirectory(temp.toFile());
  }
}
