// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.BeforeRelease;
import io.temptier.fixtures.Needs.NeedsSharedMemory;
import io.temptier.lab.testbed.Folders;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * A tier in memory that a node loses with its restart. The other node has most of the outputs, as
 * in any cluster: a reducer that finds nothing at all gives up, with stock Hadoop too.
 */
@BeforeRelease
final class LostMemoryTierIT {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final ClusterSpec.Dir DISK = new ClusterSpec.Dir("[DISK]", Path.of("disk"));

  @Test
  @NeedsSharedMemory
  void mapOutputsThatMemoryForgotAreMadeAgain() throws Exception {
    Path ram = Files.createTempDirectory(MEMORY, "temptier-it-");
    Path home = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "lost-memory-");
    ClusterSpec spec =
        new ClusterSpec(HadoopRuntime.locate(), home)
            .shortTasks()
            .nodes(2)
            .tiered(true)
            .dirs(DISK)
            .nodeMemoryMiB(1792)
            // The application master fits on the second node alone, and beside it two tasks.
            .mapred("yarn.app.mapreduce.am.resource.mb", "768")
            .yarn("temptier.reserve", "1m")
            .yarn("temptier.unknown-size", "1m");
    ClusterSpec oneTaskInMemory =
        spec.copy()
            .dirs(new ClusterSpec.Dir("[RAM_DISK]", ram), DISK)
            .yarn("yarn.nodemanager.resource.memory-mb", "512")
            .yarn("yarn.nodemanager.recovery.enabled", "true")
            .yarn("yarn.nodemanager.recovery.dir", home.resolve("recovery").toString());
    try (PseudoCluster cluster = PseudoCluster.start(spec)) {
      cluster.restartNode(0, oneTaskInMemory);
      BackgroundSort.Input input = BackgroundSort.Input.generate(cluster, 160_000, 20);
      BackgroundSort sort =
          input.sort(
              "/out",
              // Reducers tell at once that an output is gone, and are patient until it was made
              // again.
              "-Dmapreduce.reduce.shuffle.maxfetchfailures=1",
              "-Dmapreduce.task.progress-report.interval=200",
              "-Dmapreduce.reduce.maxattempts=20");
      // Before reducers start: they might have fetched all before that is seen.
      sort.await("a map of the first node to be over", () -> outputs(ram) >= 2);
      cluster.killNode(0);
      long lost = outputs(ram);
      assertTrue(lost > 0, "nothing was in memory");
      Folders.delete(ram);
      Files.createDirectories(ram);
      cluster.restartNode(0, oneTaskInMemory);

      JobResult job = sort.result();
      long launched = job.counter("org.apache.hadoop.mapreduce.JobCounter", "TOTAL_LAUNCHED_MAPS");
      System.out.println("Lost " + lost + " of " + job.maps() + " outputs, ran " + launched);
      assertTrue(launched > job.maps(), "no map ran again");
    } finally {
      Folders.delete(ram);
    }
  }

  private static long outputs(Path dir) {
    return Folders.find(dir, file -> file.endsWith("file.out")).size();
  }
}
