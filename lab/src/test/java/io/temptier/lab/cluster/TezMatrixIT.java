// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.tier.FileKind;
import io.temptier.tier.Medium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The ways in which Tez can be set up to write and fetch, and what can befall it. Some minutes, and
 * so with {@code -Dtemptier.tez.matrix} only.
 */
@EnabledIfSystemProperty(named = "temptier.tez.matrix", matches = ".*")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TezMatrixIT {
  private static final String LOCAL_FETCH = "tez.runtime.optimize.local.fetch";
  private static final String FINAL_MERGE = "tez.runtime.enable.final-merge.in.output";
  private static final long DISK_BYTES = 160 << 20;

  private final TezCluster cluster;

  TezMatrixIT() throws IOException, InterruptedException {
    cluster = new TezCluster();
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  /** A way to set Tez up, and whether its spills are what is fetched. */
  enum Way {
    LEGACY_SORTER(false, Map.of("tez.runtime.sorter.class", "LEGACY")),
    PIPELINED_SHUFFLE(
        true, Map.of("tez.runtime.pipelined-shuffle.enabled", "true", FINAL_MERGE, "false")),
    NO_FINAL_MERGE(true, Map.of(FINAL_MERGE, "false")),
    COMPRESSED(false, Map.of("tez.runtime.compress", "true")),
    IN_MEMORY(
        false,
        Map.of(
            "tez.runtime.shuffle.fetch.buffer.percent",
            "0.6",
            "tez.runtime.shuffle.memory.limit.percent",
            "0.5")),
    NO_CONTAINER_REUSE(false, Map.of("tez.am.container.reuse.enabled", "false"));

    private final boolean spillsAreFetched;
    private final Map<String, String> changes;

    Way(boolean spillsAreFetched, Map<String, String> changes) {
      this.spillsAreFetched = spillsAreFetched;
      this.changes = changes;
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void outputIsStocksHoweverTezIsSetUp(Way way) throws Exception {
    cluster.restart("[NVME:40m]");
    Map<String, String> changes = new HashMap<>(way.changes);
    changes.put(LOCAL_FETCH, "false");
    TezSite.Session session = cluster.runAsStock(1, changes);
    assertEquals(0, session.failedAttempts(), "attempts failed");
    TaskPlacements placements = cluster.placements(session);
    assertTrue(placements.of(FileKind.SPILL, Medium.NVME) > 0, "the fast tier was not used");
    assertEquals(way.spillsAreFetched, placements.of(FileKind.MAP_OUTPUT).isEmpty());
    assertEquals(List.of(), placements.of(FileKind.OTHER), "files of an unknown kind");
    assertEquals(List.of(), placements.notPlaced());
    assertTrue(cluster.served(Medium.NVME) + cluster.served(Medium.DISK) > 0);
  }

  @Test
  void aSessionRunsTwoDagsWithLocalFetches() throws Exception {
    cluster.restart("[NVME:60m]");
    TezSite.Session session = cluster.runAsStock(2, Map.of(LOCAL_FETCH, "true"));
    assertEquals(0, session.failedAttempts(), "attempts failed");
    assertTrue(session.counter(TezCluster.LOCAL) > 4 * TezCluster.EDGE_BYTES, "none was local");
    TaskPlacements placements = cluster.placements(session);
    assertTrue(placements.of(FileKind.SPILL, Medium.NVME) > 0, "the fast tier was not used");
    assertEquals(List.of(), placements.notPlaced());
  }

  /** Outputs go down while others read them, by the handler or by their paths. */
  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  @NeedsLoopDisk
  void demotedOutputsAreRead(String localFetch) throws Exception {
    Path home = Files.createDirectories(cluster.node().spec().home().resolve("loop" + localFetch));
    try (LoopDisk disk = LoopDisk.create(home, DISK_BYTES)) {
      cluster.restart(
          new ClusterSpec.Dir("[NVME]", disk.path().resolve("fast")),
          Map.of(
              "temptier.demotion.cold-after",
              "1ms",
              "temptier.demotion.high",
              "10%",
              "temptier.demotion.low",
              "1%"));
      TezSite.Session session = cluster.runAsStock(2, Map.of(LOCAL_FETCH, localFetch));
      assertEquals(0, session.failedAttempts(), "attempts failed");
      TaskPlacements unused = cluster.placements(session);
      String name = "Hadoop:service=NodeManager,name=TempTierDemotion";
      JsonNode bean = cluster.node().nodeBeans(0, name).path(0);
      System.out.println("Demoted " + bean.path("FilesDemoted") + ", " + bean.path("BytesDemoted"));
      assertTrue(bean.path("FilesDemoted").asLong() > 0, "nothing was demoted");
      assertEquals(0, bean.path("DemotionFailures").asLong());
      // Before the disk goes, so does its user.
      cluster.restart("[NVME]");
    }
  }

  /** Its containers go on, and find their files where they were, with TempTier and without. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNodeManagerThatRestartsCostsNothing(boolean tieredThen) throws Exception {
    Path recovery = cluster.node().spec().home().resolve("recovery-" + tieredThen);
    cluster.restart(
        new ClusterSpec.Dir("[NVME:40m]", Path.of("recovered-" + tieredThen)),
        Map.of(
            "yarn.nodemanager.recovery.enabled",
            "true",
            "yarn.nodemanager.recovery.dir",
            recovery.toString()));
    FutureTask<TezSite.Session> running = runInBackground();
    awaitSpill(running);
    cluster.restartAsItIs(tieredThen);
    TezSite.Session session = running.get(10, TimeUnit.MINUTES);
    assertEquals(0, session.failedAttempts(), "attempts failed");
    if (tieredThen) {
      assertEquals(List.of(), cluster.placements(session).notPlaced());
    }
  }

  private FutureTask<TezSite.Session> runInBackground() {
    FutureTask<TezSite.Session> running =
        new FutureTask<>(() -> cluster.runAsStock(1, Map.of(LOCAL_FETCH, "false")));
    new Thread(running, "session").start();
    return running;
  }

  @Test
  void aKilledTaskIsRunAgain() throws Exception {
    cluster.restart("[NVME:40m]");
    FutureTask<TezSite.Session> running = runInBackground();
    awaitSpill(running);
    assertTrue(task().destroyForcibly(), "it could not be killed");
    TezSite.Session session = running.get(10, TimeUnit.MINUTES);
    assertTrue(session.failedAttempts() > 0, "no attempt failed");
    assertEquals(List.of(), cluster.placements(session).notPlaced());
  }

  private void awaitSpill(FutureTask<TezSite.Session> running) {
    Eventually.holds(
        "a task spills",
        () -> {
          assertFalse(running.isDone(), "no task was seen to spill");
          return cluster.holdsSpill();
        });
  }

  private ProcessHandle task() {
    return cluster.node().containers().stream()
        .filter(
            process ->
                process
                    .info()
                    .commandLine()
                    .map(line -> line.contains("java") && line.contains(".TezChild "))
                    .orElse(false))
        .filter(process -> !process.info().command().orElse("").endsWith("bash"))
        .findFirst()
        .orElseThrow();
  }
}
