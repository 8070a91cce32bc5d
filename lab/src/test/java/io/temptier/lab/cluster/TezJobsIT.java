// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.fixtures.BeforeRelease;
import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.lab.testbed.Folders;
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
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real DAGs of Tez in real containers, their reports compared with stock Hadoop's, which the one
 * node is first. The sessions have no property of TempTier's. The ways in which Tez can be set up,
 * and what can befall it, take some minutes, and so {@code -Dtemptier.tez.matrix}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TezJobsIT {
  private static final String MATRIX = "temptier.tez.matrix";
  private static final String LOCAL_FETCH = "tez.runtime.optimize.local.fetch";
  private static final String FINAL_MERGE = "tez.runtime.enable.final-merge.in.output";
  private static final long DISK_BYTES = 160 << 20;
  private static final long ROWS = 100_000;
  private static final long DEADLINE_SECONDS = 600;

  /** Bytes that the DAG's generators hand to each of their two edges. */
  private static final long EDGE_BYTES = ROWS * 4 * 100;

  /** A counter of its shuffle: bytes that were read past the handler. */
  private static final String LOCAL = "SHUFFLE_BYTES_DISK_DIRECT";

  private static final List<FileKind> DATA =
      List.of(FileKind.SPILL, FileKind.MAP_OUTPUT, FileKind.FETCHED_SEGMENT, FileKind.MERGE);

  @AutoClose private final PseudoCluster cluster;
  private final TezSite tez;
  private final List<String> expected;
  private int sessions;
  private ClusterSpec last;

  TezJobsIT() throws IOException, InterruptedException {
    Path home = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "tez-");
    cluster = PseudoCluster.start(new ClusterSpec(HadoopRuntime.locate(), home));
    last = cluster.spec();
    tez = new TezSite(cluster);
    TezSite.Session stock = run(1, Map.of());
    expected = cluster.lines(report(0) + "0");
    assertEquals(4, expected.size(), expected::toString);
    assertTrue(
        TaskPlacements.of(cluster.localDirs(0), stock.application()).placed().isEmpty(),
        "stock means without TempTier");
  }

  /**
   * Makes it a node with TempTier.
   *
   * @param fastTag of a dir of its own above a disk
   */
  private void restart(String fastTag) throws IOException, InterruptedException {
    // What ended applications left is kept, to be looked at, and counts.
    restart(new ClusterSpec.Dir(fastTag, Path.of("fast" + sessions)), Map.of());
  }

  /**
   * The same.
   *
   * @param fast above a disk
   * @param yarn more properties of yarn-site.xml
   */
  private void restart(ClusterSpec.Dir fast, Map<String, String> yarn)
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
  private void restartAsItIs(boolean tiered) throws IOException, InterruptedException {
    cluster.restartNode(0, last.copy().tiered(tiered));
  }

  /** Runs DAGs in one session, which must succeed with stock's reports. */
  private TezSite.Session runAsStock(int dags, Map<String, String> changes)
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

  /** Where a session's files were placed; all of its outputs and spills were. */
  private TaskPlacements placements(TezSite.Session session) throws IOException {
    TaskPlacements placements = TaskPlacements.of(cluster.localDirs(0), session.application());
    System.out.println(session.application() + ": " + placements.counts());
    assertEquals(List.of(), placements.notPlaced());
    return placements;
  }

  /** Bytes that the shuffle handler sent from a medium since the node started. */
  private long served(Medium medium) throws IOException {
    String name = "Hadoop:service=NodeManager,name=TempTierShuffle-" + medium;
    return cluster.nodeBeans(0, name).path(0).path("BytesSent").asLong();
  }

  @ParameterizedTest
  @ValueSource(strings = {"[NVME:40m]", "[NVME]"})
  void outputIsStocksForAnyRoomOnTheFastTier(String fastTag) throws Exception {
    restart(fastTag);
    TezSite.Session session = runAsStock(1, Map.of(LOCAL_FETCH, "false"));
    assertEquals(0, session.failedAttempts(), "attempts failed");
    assertEquals(0, session.counter(LOCAL), "it read past the handler");
    long served = served(Medium.NVME) + served(Medium.DISK);
    assertTrue(served > 2 * EDGE_BYTES, "the handler served " + served);

    TaskPlacements placements = placements(session);
    for (FileKind kind : DATA) {
      assertTrue(!placements.of(kind).isEmpty(), () -> "no file of kind " + kind);
    }
    assertEquals(List.of(), placements.of(FileKind.OTHER), "files of an unknown kind");
    // Also of the sorted ones, for which Tez gives none.
    assertTrue(
        placements.of(FileKind.MAP_OUTPUT).stream().allMatch(one -> one.request().sizeKnown()),
        "an output of no size");
    long slow = DATA.stream().mapToLong(kind -> placements.of(kind, Medium.DISK)).sum();
    Map<String, Long> counted = session.placed();
    long bytes = counted.getOrDefault("NVME_BYTES", 0L) + counted.getOrDefault("DISK_BYTES", 0L);
    assertTrue(bytes > 2 * EDGE_BYTES, "Tez counts " + bytes);
    assertTrue(counted.containsKey("NVME_FILES"), "the fast tier was not used");
    if (fastTag.equals("[NVME]")) {
      assertEquals(0, slow, "an unlimited tier takes everything");
      assertFalse(counted.containsKey("DISK_FILES"));
      assertEquals(0, served(Medium.DISK));
    } else {
      assertTrue(slow > 0, "the fast tier filled, so some went down");
      assertTrue(counted.containsKey("DISK_FILES"), "some went down");
      assertTrue(placements.of(FileKind.SPILL, Medium.NVME) > 0, "the fast tier was not used");
    }
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
  @EnabledIfSystemProperty(named = MATRIX, matches = ".*")
  @EnumSource(Way.class)
  void outputIsStocksHoweverTezIsSetUp(Way way) throws Exception {
    restart("[NVME:40m]");
    Map<String, String> changes = new HashMap<>(way.changes);
    changes.put(LOCAL_FETCH, "false");
    TezSite.Session session = runAsStock(1, changes);
    assertEquals(0, session.failedAttempts(), "attempts failed");
    TaskPlacements placements = placements(session);
    assertTrue(placements.of(FileKind.SPILL, Medium.NVME) > 0, "the fast tier was not used");
    assertEquals(way.spillsAreFetched, placements.of(FileKind.MAP_OUTPUT).isEmpty());
    assertEquals(List.of(), placements.of(FileKind.OTHER), "files of an unknown kind");
    assertTrue(served(Medium.NVME) + served(Medium.DISK) > 0);
  }

  @Test
  @EnabledIfSystemProperty(named = MATRIX, matches = ".*")
  void aSessionRunsTwoDagsWithLocalFetches() throws Exception {
    restart("[NVME:60m]");
    TezSite.Session session = runAsStock(2, Map.of(LOCAL_FETCH, "true"));
    assertEquals(0, session.failedAttempts(), "attempts failed");
    assertTrue(session.counter(LOCAL) > 4 * EDGE_BYTES, "none was local");
    assertTrue(
        placements(session).of(FileKind.SPILL, Medium.NVME) > 0, "the fast tier was not used");
  }

  /** Outputs go down while others read them, by the handler or by their paths. */
  @BeforeRelease
  @ParameterizedTest
  @EnabledIfSystemProperty(named = MATRIX, matches = ".*")
  @ValueSource(strings = {"false", "true"})
  @NeedsLoopDisk
  void demotedOutputsAreRead(String localFetch) throws Exception {
    Path home = Files.createDirectories(cluster.spec().home().resolve("loop" + localFetch));
    try (LoopDisk disk = LoopDisk.create(home, DISK_BYTES)) {
      restart(
          new ClusterSpec.Dir("[NVME]", disk.path().resolve("fast")),
          Map.of(
              "temptier.demotion.cold-after",
              "1ms",
              "temptier.demotion.high",
              "10%",
              "temptier.demotion.low",
              "1%"));
      TezSite.Session session = runAsStock(2, Map.of(LOCAL_FETCH, localFetch));
      assertEquals(0, session.failedAttempts(), "attempts failed");
      String name = "Hadoop:service=NodeManager,name=TempTierDemotion";
      JsonNode bean = cluster.nodeBeans(0, name).path(0);
      System.out.println("Demoted " + bean.path("FilesDemoted") + ", " + bean.path("BytesDemoted"));
      assertTrue(bean.path("FilesDemoted").asLong() > 0, "nothing was demoted");
      assertEquals(0, bean.path("DemotionFailures").asLong());
      // Before the disk goes, so does its user.
      restart("[NVME]");
    }
  }

  /** Its containers go on, and find their files where they were, with TempTier and without. */
  @ParameterizedTest
  @EnabledIfSystemProperty(named = MATRIX, matches = ".*")
  @ValueSource(booleans = {true, false})
  void aNodeManagerThatRestartsCostsNothing(boolean tieredThen) throws Exception {
    Path recovery = cluster.spec().home().resolve("recovery-" + tieredThen);
    restart(
        new ClusterSpec.Dir("[NVME:40m]", Path.of("recovered-" + tieredThen)),
        Map.of(
            "yarn.nodemanager.recovery.enabled",
            "true",
            "yarn.nodemanager.recovery.dir",
            recovery.toString()));
    FutureTask<TezSite.Session> running = spilling();
    restartAsItIs(tieredThen);
    TezSite.Session session = running.get(10, TimeUnit.MINUTES);
    assertEquals(0, session.failedAttempts(), "attempts failed");
    if (tieredThen) {
      TaskPlacements unused = placements(session);
    }
  }

  /** A session in the background, one of whose tasks has spilled. */
  private FutureTask<TezSite.Session> spilling() {
    FutureTask<TezSite.Session> running =
        new FutureTask<>(() -> runAsStock(1, Map.of(LOCAL_FETCH, "false")));
    new Thread(running, "session").start();
    Eventually.holds(
        "a task spills",
        () -> {
          assertFalse(running.isDone(), "no task was seen to spill");
          return cluster.localDirs(0).stream()
              .flatMap(dir -> Folders.find(dir, Files::isRegularFile).stream())
              .anyMatch(file -> FileKind.of(file.toString()) == FileKind.SPILL);
        });
    return running;
  }

  @Test
  @EnabledIfSystemProperty(named = MATRIX, matches = ".*")
  void aKilledTaskIsRunAgain() throws Exception {
    restart("[NVME:40m]");
    FutureTask<TezSite.Session> running = spilling();
    assertTrue(
        BackgroundSort.java(cluster, ".TezChild ").destroyForcibly(), "it could not be killed");
    TezSite.Session session = running.get(10, TimeUnit.MINUTES);
    assertTrue(session.failedAttempts() > 0, "no attempt failed");
    TaskPlacements unused = placements(session);
  }
}
