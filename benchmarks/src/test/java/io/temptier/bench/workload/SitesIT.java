// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.bench.OtherJvm;
import io.temptier.fixtures.BeforeRelease;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.cluster.JobResult;
import io.temptier.lab.cluster.PseudoCluster;
import io.temptier.lab.process.JavaCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same benchmark without emulated disks, and so without root. */
@BeforeRelease
final class SitesIT {
  private static final String SMALL = "e1 --set=rows=100000 --rounds=1 --set=block=5m";

  @TempDir private Path dir;

  @Test
  void onDirsOfTheUsersWhichAreEmptyAfterwards() throws Exception {
    Path fast = Files.createDirectory(dir.resolve("fast"));
    Path slow = Files.createDirectory(dir.resolve("slow"));
    JsonNode report =
        OtherJvm.bench(dir, SMALL + " --arms=temptier --dirs=[NVME]" + fast + ",[DISK]" + slow);
    check(report, "temptier");
    assertTrue(report.path("arms").path(0).path("peakFastBytes").asLong() > 0, report::toString);
    for (Path users : List.of(fast, slow)) {
      try (Stream<Path> left = Files.list(users)) {
        assertEquals(List.of(), left.toList());
      }
    }
  }

  @Test
  void fromTheTarballOnAClusterOfTheUsersThatHasTempTierInstalled() throws Exception {
    Path launcher = unpacked();
    Path hadoop = hadoop(HadoopRuntime.locate());
    Path home = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "own-cluster-");
    ClusterSpec spec =
        new ClusterSpec(HadoopRuntime.locate(), home)
            .shortTasks()
            .dirs(
                new ClusterSpec.Dir("[NVME]", Path.of("fast")),
                new ClusterSpec.Dir("[DISK]", Path.of("slow")))
            .tiered(true);
    try (PseudoCluster cluster = PseudoCluster.start(spec)) {
      // What an installation has in its client configuration: docs/install.md.
      Path results = dir.resolve("results");
      String line =
          "%s bench run %s --conf-dir=%s --report=%s"
              .formatted(launcher, SMALL, cluster.nodeConf(0), results);
      ProcessBuilder builder =
          new ProcessBuilder(line.split(" ", -1)).directory(dir.toFile()).redirectErrorStream(true);
      builder.environment().put("HADOOP_HOME", hadoop.toString());
      builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
      Process bench = builder.start();
      String text = new String(bench.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, bench.waitFor(), text);
      check(OtherJvm.report(results), "stock-mixed", "temptier");
      assertEquals(List.of(), left(cluster), "folders left in the cluster");
    }
  }

  /** The launcher of the benchmarks' tarball. */
  private Path unpacked() throws IOException, InterruptedException {
    String tarball = System.getProperty("temptier.bench.tarball");
    Process tar =
        new ProcessBuilder("tar", "-xzf", tarball, "-C", dir.toString()).inheritIO().start();
    assertEquals(0, tar.waitFor(), tarball);
    try (Stream<Path> roots = Files.list(dir)) {
      List<Path> all = roots.toList();
      assertEquals(1, all.size(), all::toString);
      return all.get(0).resolve("temptier");
    }
  }

  /** A folder as HADOOP_HOME names it, of which the launcher asks the class path alone. */
  private Path hadoop(HadoopRuntime runtime) throws IOException {
    Path hadoop = dir.resolve("hadoop/bin/hadoop");
    Files.createDirectories(hadoop.getParent());
    String jars = JavaCommand.path(runtime.jars());
    Files.writeString(hadoop, "#!/bin/sh\necho '" + jars + "'\n");
    Files.setPosixFilePermissions(hadoop, PosixFilePermissions.fromString("rwxr-xr-x"));
    return dir.resolve("hadoop");
  }

  /** What the run left in its user's home. */
  private static List<String> left(PseudoCluster cluster) throws Exception {
    List<String> lines = new ArrayList<>();
    JobResult listing =
        cluster.program("ls", 600, lines::add, "org.apache.hadoop.fs.FsShell", "-ls", "/user/*");
    assertEquals(0, listing.exitCode(), () -> String.join("\n", lines));
    return lines.stream().filter(line -> line.contains("temptier-bench-")).toList();
  }

  private static void check(JsonNode report, String... expected) {
    List<String> arms = new ArrayList<>();
    for (JsonNode arm : report.path("arms")) {
      arms.add(arm.path("name").asText());
      assertTrue(arm.path("cpuPerReal").asDouble() > 0, arm::toPrettyString);
    }
    assertEquals(List.of(expected), arms);
    for (JsonNode trial : report.path("trials")) {
      boolean tiered = trial.path("arm").asText().equals("temptier");
      long fast = trial.path("counters").path("NVME_BYTES").asLong();
      assertEquals(tiered, fast > 0, trial::toPrettyString);
    }
  }
}
