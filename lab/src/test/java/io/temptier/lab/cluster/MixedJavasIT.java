// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.NeedsOtherJava;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Daemons on this build's Java, and a job that brings another. */
@NeedsOtherJava
final class MixedJavasIT {
  private static final long ROWS = 400_000;
  private static final int MAPS = 4;

  @Test
  void aJobOnAnotherJavaUsesTheFastTierOfANodeManagerOnThisOne() throws Exception {
    HadoopRuntime located = HadoopRuntime.locate();
    Path others = located.javaHome();
    Path ours = Path.of(System.getProperty("java.home")).toRealPath();
    Path home = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "mixed-javas-");
    ClusterSpec spec =
        ClusterSpec.builder(new HadoopRuntime(located.jars(), located.dropIns(), ours), home)
            .shortTasks()
            .tiered(true)
            .dirs(
                new ClusterSpec.Dir("[NVME]", Path.of("fast")),
                new ClusterSpec.Dir("[DISK]", Path.of("slow")))
            .build();
    try (PseudoCluster cluster = PseudoCluster.start(spec, state -> {})) {
      String env = "JAVA_HOME=" + others;
      BackgroundSort sort =
          BackgroundSort.Input.generate(cluster, ROWS, MAPS)
              .sort(
                  "/out",
                  "-Dyarn.app.mapreduce.am.env=" + env,
                  "-Dmapreduce.map.env=" + env,
                  "-Dmapreduce.reduce.env=" + env);
      Set<Path> javas = new TreeSet<>();
      while (!sort.isDone()) {
        cluster.containers().stream()
            .filter(process -> isOfTheJob(process.info()))
            .forEach(process -> javas.add(Path.of(process.info().command().orElse(""))));
        Thread.sleep(50);
      }
      JobResult job = sort.unharmed();
      assertEquals(Set.of(others.toRealPath().resolve("bin/java")), javas);
      assertTrue(job.placed("NVME_FILES") > 0, job.placed()::toString);
      assertEquals(0, job.placed("DISK_FILES"), job.placed()::toString);
    }
  }

  /** The job's Java processes: not its shells, nor what localizes its files. */
  private static boolean isOfTheJob(ProcessHandle.Info process) {
    return process.command().filter(command -> command.endsWith("/bin/java")).isPresent()
        && Stream.of(process.arguments().orElse(new String[0]))
            .anyMatch(word -> word.endsWith(".YarnChild") || word.endsWith(".MRAppMaster"));
  }
}
