// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.DiskBlockManager;

/**
 * Spark in this JVM with a fast and a slow dir, in memory where that is possible: a file system on
 * a disk has costs of its own (ext4 looks past all inodes deleted in the last five seconds). There
 * is a folder of claims in each dir, as on a node.
 */
final class SparkOnTwoTiers implements AutoCloseable {
  /** For the JVM: what is on this class path gives Spark's tests managers of ours. */
  static final String STOCK_UNLESS_PLUGGED = "-Dtemptier.suites.manager=stock";

  private static final Path MEMORY = Path.of("/dev/shm");

  private final Path temp;
  private final JavaSparkContext spark;

  private SparkOnTwoTiers(Path temp, JavaSparkContext spark) {
    this.temp = temp;
    this.spark = spark;
  }

  /**
   * Starts one.
   *
   * @param placed "stock", "fast", or "spilled": the fast dir may have no file
   */
  static SparkOnTwoTiers start(String placed) throws IOException {
    SparkOnTwoTiers tiers = start(placed, !placed.equals("stock"));
    if (tiers.blocks() instanceof TieredDiskBlockManager == placed.equals("stock")) {
      tiers.close();
      throw new IllegalStateException(placed + " by " + tiers.blocks().getClass());
    }
    return tiers;
  }

  /** Starts one that is configured for the plugin and does not have it yet. */
  static SparkOnTwoTiers startUnplugged() throws IOException {
    return start("fast", false);
  }

  private static SparkOnTwoTiers start(String placed, boolean plugged) throws IOException {
    Path temp =
        Files.isWritable(MEMORY)
            ? Files.createTempDirectory(MEMORY, "temptier-spark")
            : Files.createTempDirectory("temptier-spark");
    Path fast = temp.resolve("fast");
    Path slow = temp.resolve("slow");
    for (Path dir : List.of(fast, slow)) {
      Files.createDirectories(NodeMarker.claims(dir));
    }
    SparkConf conf =
        new SparkConf(false)
            .setMaster("local[1]")
            .setAppName("benchmark")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.local.dir", slow + "," + fast)
            .set(
                SparkTiers.DIRS_KEY,
                (placed.equals("spilled") ? "[NVME:1k]" : "[NVME]") + fast + ",[DISK]" + slow);
    if (plugged) {
      conf.set("spark.plugins", TierPlugin.class.getName());
    }
    JavaSparkContext spark = new JavaSparkContext(conf);
    spark.setLogLevel("WARN");
    return new SparkOnTwoTiers(temp, spark);
  }

  JavaSparkContext spark() {
    return spark;
  }

  DiskBlockManager blocks() {
    return SparkEnv.get().blockManager().diskBlockManager();
  }

  @Override
  public void close() {
    spark.close();
    FileUtils.deleteQuietly(temp.toFile());
  }
}
