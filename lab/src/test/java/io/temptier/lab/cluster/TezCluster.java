// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.lab.testbed.Folders;
import io.temptier.tier.FileKind;
import io.temptier.tier.Medium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A cluster with Tez whose one node is a stock one first, for its DAG's report to compare with. */
final class TezCluster implements AutoCloseable {
  private static final long ROWS = 100_000;
  private static final long DEADLINE_SECONDS = 600;

  /** Bytes that the DAG's generators hand to each of their two edges. */
  static final long EDGE_BYTES = ROWS * 4 * 100;

  /** A counter of its shuffle: bytes that were read past the handler. */
  static final String LOCAL = "SHUFFLE_BYTES_DISK_DIRECT";

  private final PseudoCluster cluster;
  private final TezSite tez;
  private final List<String> expected;
  private int sessions;
  private ClusterSpec last;

  TezCluster() throws IOException, InterruptedException {
    Path home = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "tez-");
    cluster = PseudoCluster.start(new ClusterSpec(HadoopRuntime.locate(), home).withoutHdfs());
    last = cluster.spec();
    tez = new TezSite(cluster);
    TezSite.Session stock = run(1, Map.of());
    expected = cluster.lines(report(0) + "0");
    assertEquals(4, expected.size(), expected::toString);
    assertTrue(
        TaskPlacements.of(cluster.localDirs(0), stock.application()).placed().isEmpty(),
        "stock means without TempTier");
  }

  PseudoCluster node() {
    return cluster;
  }

  /**
   * Makes it a node with TempTier.
   *
   * @param fastTag of a dir of its own above a disk
   */
  void restart(String fastTag) throws IOException, InterruptedException {
    // What ended applications left is kept, to be looked at, and counts.
    restart(new ClusterSpec.Dir(fastTag, Path.of("fast" + sessions)), Map.of());
  }

  /**
   * The same.
   *
   * @param fast above a disk
   * @param yarn more properties of yarn-site.xml
   */
  void restart(ClusterSpec.Dir fast, Map<String, String> yarn)
      throws IOException, InterruptedException {
    last =
        cluster
            .spec()
            .tiered(true)
            .dirs(fast, new ClusterSpec.Dir("[DISK]", Path.of("slow" + sessions)))
            .yarn("temptier.reserve", "1m")
            .yarn("temptier.unknown-size", "1m")
            .yarn("temptier.large-size", "4m")
            .yarn("yarn.nodemanager.delete.debug-delay-sec", "3600")
            .yarn(yarn);
    restartAsItIs(true);
    assertTrue(
        cluster.nodeManagers().get(0).logged("TempTier serves map outputs from"),
        "stock's handler serves");
  }

  /** Restarts its NodeManager over the same dirs, with TempTier or as stock. */
  void restartAsItIs(boolean tiered) throws IOException, InterruptedException {
    cluster.restartNode(0, last.copy().tiered(tiered));
  }

  /** Runs DAGs in one session, which must succeed with stock's reports. */
  TezSite.Session runAsStock(int dags, Map<String, String> changes)
      throws IOException, InterruptedException {
    TezSite.Session session = run(dags, changes);
    for (int dag = 0; dag < dags; dag++) {
      List<String> report = cluster.lines(report(sessions - 1) + dag);
      assertEquals(expected, report, "the report differs from stock Hadoop's");
    }
    return session;
  }

  private TezSite.Session run(int dags, Map<String, String> changes)
      throws IOException, InterruptedException {
    TezSite.Session session = tez.run(report(sessions++), ROWS, dags, DEADLINE_SECONDS, changes);
    System.out.println(session.application() + ": " + session.seconds() + " s, " + session.dags());
    String log = String.join("\n", session.log());
    // One that is not over when its node restarts would be started again, and need memory.
    Eventually.holds(
        session.application() + " has ended",
        () ->
            cluster.applications().stream()
                .allMatch(one -> one.ended() || !one.id().equals(session.application())));
    assertEquals(0, session.exitCode(), log);
    assertEquals(dags, session.dags().size(), log);
    for (List<String> dag : session.dags()) {
      assertEquals("SUCCEEDED", dag.get(0), log);
    }
    return session;
  }

  /** Where the DAGs of a session report to, before their numbers. */
  private static String report(int session) {
    return "/report-" + session + "-";
  }

  TaskPlacements placements(TezSite.Session session) throws IOException {
    TaskPlacements placements = TaskPlacements.of(cluster.localDirs(0), session.application());
    System.out.println(session.application() + ": " + placements.counts());
    return placements;
  }

  /** Bytes that the shuffle handler sent from a medium since the node started. */
  long served(Medium medium) throws IOException {
    String name = "Hadoop:service=NodeManager,name=TempTierShuffle-" + medium;
    return cluster.nodeBeans(0, name).path(0).path("BytesSent").asLong();
  }

  boolean holdsSpill() {
    return cluster.localDirs(0).stream()
        .flatMap(dir -> Folders.find(dir, Files::isRegularFile).stream())
        .anyMatch(file -> FileKind.of(file.toString()) == FileKind.SPILL);
  }

  @Override
  public void close() {
    cluster.close();
  }
}
