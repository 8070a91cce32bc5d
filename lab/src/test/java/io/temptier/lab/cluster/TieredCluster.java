// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.lab.testbed.Folders;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;

/** A cluster of one node with a fast and two slow dirs, and rows for it to sort. */
final class TieredCluster implements Closeable {
  static final int MAPS = 5;
  static final long ROWS = 400_000;

  final PseudoCluster cluster;
  final BackgroundSort.Input input;
  private int outputs;

  TieredCluster(String name, boolean hdfs) throws IOException, InterruptedException {
    Path home = Files.createTempDirectory(Path.of("target").toAbsolutePath(), name);
    ClusterSpec spec = new ClusterSpec(HadoopRuntime.locate(), home).shortTasks();
    cluster = PseudoCluster.start(hdfs ? spec : spec.withoutHdfs());
    input = BackgroundSort.Input.generate(cluster, ROWS, MAPS);
  }

  String nextOutput() {
    return "/out" + outputs++;
  }

  /** Restarts the node with TempTier, the fast dir tagged and placed as given. */
  void restart(String fastTag, String fastPath) throws IOException, InterruptedException {
    cluster.restartNode(
        0,
        cluster
            .spec()
            .tiered(true)
            .dirs(
                new ClusterSpec.Dir(fastTag, Path.of(fastPath)),
                new ClusterSpec.Dir("[DISK]", Path.of("slow1")),
                new ClusterSpec.Dir("[DISK]", Path.of("slow2")))
            .yarn("temptier.reserve", "1m")
            .yarn("temptier.unknown-size", "1m")
            .yarn("yarn.nodemanager.disk-health-checker.interval-ms", "1000"));
  }

  static boolean holds(Path dir, Predicate<Path> wanted) {
    return !Folders.find(dir, wanted).isEmpty();
  }

  @Override
  public void close() {
    cluster.close();
  }
}
