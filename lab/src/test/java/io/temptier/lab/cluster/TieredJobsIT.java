// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real jobs on a real cluster, no property of which names TempTier; their output compared with
 * stock Hadoop's.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TieredJobsIT {
  private static final long ROWS = 400_000;
  private static final long BYTES = ROWS * 100;

  private PseudoCluster cluster;
  private String expected;
  private int outputs;

  TieredJobsIT() throws IOException, InterruptedException {
    Path home = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "tiered-jobs-");
    cluster =
        PseudoCluster.start(
            ClusterSpec.builder(HadoopRuntime.locate(), home).shortTasks().build(), state -> {});
    expected = "";
  }

  @BeforeAll
  void sortWithStockHadoop() throws Exception {
    TeraRows made =
        TeraRows.madeBy(cluster.example(line -> {}, TeraRows.teragen(cluster, ROWS, 2, "/in")));
    String out = nextOutput();
    JobResult stock = cluster.example(line -> {}, terasort(out));
    assertSucceeded(stock);
    assertEquals(0, stock.placed("DISK_BYTES"), "stock means without TempTier");
    assertEquals("", fault(made, out));
    assertNotEquals("", fault(made, "/in"), "rows that were not sorted pass");
    expected = digest(out);
  }

  private String fault(TeraRows made, String folder) throws Exception {
    return made.fault(cluster, command -> cluster.example(line -> {}, command), folder);
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"[NVME:0]", "[NVME:40m]", "[NVME]"})
  void outputIsStocksForAnyRoomOnTheFastTier(String fastTag) throws Exception {
    cluster.restartNode(
        0,
        cluster
            .spec()
            .change()
            .tiered(true)
            .dirs(
                new ClusterSpec.Dir(fastTag, Path.of("fast")),
                new ClusterSpec.Dir("[DISK]", Path.of("slow1")),
                new ClusterSpec.Dir("[DISK]", Path.of("slow2")))
            .yarn("temptier.reserve", "1m")
            .yarn("temptier.unknown-size", "1m")
            .build());
    String out = nextOutput();
    JobResult job = cluster.example(line -> {}, terasort(out));
    assertSucceeded(job);
    assertEquals(0, job.failedAttempts(), "attempts failed");
    assertEquals(expected, digest(out), "output differs from stock Hadoop's");

    long fast = job.placed("NVME_BYTES");
    long slow = job.placed("DISK_BYTES");
    long spilledDown = job.placed("SPILLED_DOWN_BYTES");
    assertTrue(fast + slow >= BYTES, "all map outputs are counted: " + fast + " + " + slow);
    switch (fastTag) {
      case "[NVME:0]" -> {
        assertEquals(0, fast, "a cap of 0 takes nothing");
        assertEquals(slow, spilledDown);
      }
      case "[NVME]" -> {
        assertEquals(0, slow, "an unlimited tier takes everything");
        assertEquals(0, spilledDown);
      }
      default -> {
        assertTrue(fast > 0, "the fast tier was not used");
        assertTrue(slow > 0, "the fast tier filled mid-job, so some went down");
        assertEquals(slow, spilledDown);
        Operator operator = new Operator(cluster);
        operator.seesJob(job);
        Path fastest = cluster.localDirs(0).get(0);
        operator.plans(fastest.resolveSibling("plan.log"));
        operator.reports(fastest.resolveSibling("report.html"));
      }
    }
  }

  /** Its buffers are small, so that spills, merges and fetches to disk all happen. */
  private static String[] terasort(String out) {
    return new String[] {
      "terasort",
      "-Dmapreduce.job.reduces=2",
      "-Dmapreduce.task.io.sort.mb=8",
      "-Dmapreduce.reduce.shuffle.input.buffer.percent=0.05",
      "/in",
      out
    };
  }

  private String nextOutput() {
    return "/out" + outputs++;
  }

  private String digest(String out) throws IOException {
    byte[] rows;
    try (InputStream in = cluster.cat(out + "/part-*")) {
      rows = in.readAllBytes();
    }
    assertEquals(BYTES, rows.length, "bytes in " + out);
    return SortedRows.digest(new ByteArrayInputStream(rows));
  }

  private static void assertSucceeded(JobResult job) {
    assertTrue(
        job.succeeded(),
        () -> job.name() + " " + job.state() + ":\n" + String.join("\n", job.log()));
  }
}
