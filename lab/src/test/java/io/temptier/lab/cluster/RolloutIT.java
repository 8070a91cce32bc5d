// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * {@code deploy/rollout} over two real NodeManagers, under a job. It takes minutes, so it is run
 * with {@code -Dtemptier.day} only.
 */
@EnabledIfSystemProperty(named = "temptier.day", matches = ".*")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RolloutIT {
  private static final int NODES = 2;
  private static final String NEXT = "9.9.9";

  @RegisterExtension private final RunFolder root = new RunFolder("rollout");
  private final PseudoCluster cluster;
  private final RolloutSite site;

  RolloutIT() throws IOException, InterruptedException {
    cluster =
        PseudoCluster.start(
            ClusterSpec.builder(HadoopRuntime.locate().stock(), root.cluster())
                .nodes(NODES)
                .nodeMemoryMiB(1280)
                .shortTasks()
                .build(),
            state -> {});
    site = new RolloutSite(cluster, root.path());
  }

  @AfterAll
  void stop() throws IOException {
    site.close();
    cluster.close();
    root.delete();
  }

  @Test
  void installsUpgradesAndGoesBackAndStopsAtANodeThatIsNotRight() throws Exception {
    String first = RolloutSite.tarball().toString();
    String next = site.tarballOf(NEXT).toString();
    String name = Path.of(first).getFileName().toString().replace(".tar.gz", "");

    assertRollout(0, "--only-copy", "--tarball", first, "node-0", "node-1");
    for (int node = 0; node < NODES; node++) {
      site.configure(node, spec(node, "[NVME]"));
    }
    assertRollout(0, "--tarball", first, "node-0", "node-1");
    BackgroundSort.Input input = BackgroundSort.Input.generate(cluster, 600_000, 12);

    BackgroundSort job = input.sortThroughRestarts("/out");
    job.await("a task", () -> !cluster.containers().isEmpty());
    assertRollout(0, "--tarball", next, "node-0", "node-1");
    assertRuns(0, "temptier-" + NEXT, NEXT);
    assertRuns(1, "temptier-" + NEXT, NEXT);
    job.unharmedThroughRestarts();

    assertRollout(0, "--rollback", "node-0", "node-1");
    assertRuns(0, name, name.replace("temptier-", ""));
    assertRuns(1, name, name.replace("temptier-", ""));

    site.configure(1, spec(1, "[FLOPPY]"));
    String said = assertRollout(1, "--tarball", next, "node-0", "node-1");
    assertTrue(said.contains("FLOPPY"), "the doctor's words: " + said);
    assertTrue(said.contains("Done: node-0. Not touched: none."), said);
    assertRuns(0, "temptier-" + NEXT, NEXT);
    assertRuns(1, name, name.replace("temptier-", ""));
  }

  private String assertRollout(int code, String... options)
      throws IOException, InterruptedException {
    RolloutSite.Outcome outcome = site.rollout(options);
    assertEquals(code, outcome.code(), outcome.text());
    return outcome.text();
  }

  private void assertRuns(int node, String release, String version) throws IOException {
    assertEquals(release, site.release(node));
    JsonNode info = cluster.nodeBeans(node, "Hadoop:service=NodeManager,name=TempTierInfo").path(0);
    assertEquals(version, info.path("Version").asText(), info.toString());
    assertEquals("ACTIVE", info.path("Mode").asText(), info.toString());
  }

  private ClusterSpec spec(int node, String fastTag) {
    return RolloutSite.spec(cluster, node, new ClusterSpec.Dir(fastTag, Path.of("fast")));
  }
}
