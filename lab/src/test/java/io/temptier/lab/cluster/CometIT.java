// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/**
 * A query of Apache DataFusion Comet on YARN, whose native code writes its shuffle to paths itself.
 * The fast disk is a third as large as the shuffle.
 */
@NeedsLoopDisk
final class CometIT {
  private static final long DISK_BYTES = 96L << 20;

  /** For what containers have in their work dirs, such as libraries that Spark unpacks. */
  private static final long RESERVE_BYTES = 8 << 20;

  /** 48 map outputs of 6 MB. */
  private static final List<String> WORK = List.of("48", "150000", "6", "distribute");

  /** Comet calls the shuffle that its JVM code writes CometColumnarExchange. */
  private static final String NATIVE_SHUFFLE = "CometExchange";

  private static final long SHUFFLE_BYTES = 48L * 150_000 * 40;

  @Test
  void fillsAFastDiskThatHoldsAThirdOfItsShuffle() throws Exception {
    Path comet = HadoopRuntime.resolved(SparkRuntime.MODULE, "comet-classpath").get(0);
    try (SparkCluster cluster = new SparkCluster(SparkRuntime.locate().with(comet))) {
      Path library = library(comet, cluster.node().spec().home());
      cluster.runStock(WORK);
      Path folder = Files.createDirectories(cluster.node().spec().home().resolve("fast"));
      try (LoopDisk disk = LoopDisk.create(folder, DISK_BYTES)) {
        cluster.restart(
            new ClusterSpec.Dir("[NVME]", disk.path().resolve("local")),
            Map.of("temptier.reserve", Long.toString(RESERVE_BYTES)));
        long room = disk.path().toFile().getUsableSpace() - RESERVE_BYTES;
        Queue<String> output = new ConcurrentLinkedQueue<>();
        SparkCluster.Seen seen = cluster.run(WORK, conf(cluster, library), output::add);
        cluster.assertAsStock(WORK, seen.result());
        assertTrue(
            output.stream().anyMatch(line -> line.contains(NATIVE_SHUFFLE)),
            () -> "no native shuffle: " + output);
        assertEquals(0, seen.result().tasks().failed(), "attempts failed");
        assertTrue(
            seen.fastBytes() + seen.slowBytes() > 0.9 * SHUFFLE_BYTES,
            "Comet compresses, so this is no third");
        double used = (double) seen.fastBytes() / room;
        System.out.printf("%.2f of the fast disk was used%n", used);
        // Native code writes without asking, so that room is left for it.
        assertTrue(used >= 0.8, () -> used + " of the fast disk was used");
        cluster.awaitClean();
      }
    }
  }

  private static Map<String, String> conf(SparkCluster cluster, Path library) {
    Map<String, String> conf = new LinkedHashMap<>(cluster.tiered(Map.of()));
    conf.merge("spark.plugins", "org.apache.spark.CometPlugin", (ours, its) -> ours + "," + its);
    conf.put(
        "spark.shuffle.manager",
        "org.apache.spark.sql.comet.execution.shuffle.CometShuffleManager");
    conf.put("spark.executor.extraLibraryPath", library.toString());
    conf.put("spark.memory.offHeap.enabled", "true");
    conf.put("spark.memory.offHeap.size", "256m");
    conf.put("spark.comet.enabled", "true");
    conf.put("spark.comet.exec.enabled", "true");
    conf.put("spark.comet.exec.shuffle.enabled", "true");
    conf.put("spark.comet.exec.shuffle.mode", "native");
    conf.put("spark.comet.sparkToColumnar.enabled", "true");
    conf.put("spark.comet.explainFallback.enabled", "true");
    // What is on the fast disk is what was placed there.
    conf.put("spark.temptier.demotion", "false");
    return conf;
  }

  /** Else each container unpacks 80 MB into its work dir, which may be on the fast disk. */
  private static Path library(Path comet, Path home) throws IOException {
    String arch = System.getProperty("os.arch");
    Path folder = Files.createDirectory(home.resolve("native"));
    try (JarFile jar = new JarFile(comet.toFile())) {
      ZipEntry library = jar.getEntry("org/apache/comet/linux/" + arch + "/libcomet.so");
      assumeTrue(library != null, "Comet has no native library for " + arch);
      try (InputStream in = jar.getInputStream(library)) {
        Files.copy(in, folder.resolve("libcomet.so"));
      }
    }
    return folder;
  }
}
