// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Real DAGs of Tez in real containers, their output compared with stock Hadoop's. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TezJobsIT {
  private static final long ROWS = 100_000;

  private final PseudoCluster cluster;
  private final TezSite tez;

  TezJobsIT() throws IOException, InterruptedException {
    Path home = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "tez-jobs-");
    cluster =
        PseudoCluster.start(ClusterSpec.builder(HadoopRuntime.locate(), home).build(), state -> {});
    tez = new TezSite(cluster);
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @Test
  void stock() throws Exception {
    TezSite.Session session = tez.run("/report", ROWS, 1, Map.of());
    System.out.println(session.log());
    assertEquals(
        List.of(List.of("SUCCEEDED", "0", "0")), session.dags(), String.join("\n", session.log()));
    System.out.println(cluster.lines("/report0"));
    System.out.println(session.seconds());
  }
}
