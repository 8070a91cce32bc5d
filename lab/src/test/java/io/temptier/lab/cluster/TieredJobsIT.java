// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.NeedsLoopDisk;
import io.temptier.lab.testbed.Folders;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
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
  private static final int MAPS = 5;
  private static final ClusterSpec.Dir SLOW1 = new ClusterSpec.Dir("[DISK]", Path.of("slow1"));
  private static final ClusterSpec.Dir SLOW2 = new ClusterSpec.Dir("[DISK]", Path.of("slow2"));

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
    JobResult stock = cluster.example(line -> {}, terasort(List.of(), out));
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
    restart(fastTag, "fast");
    String out = nextOutput();
    JobResult job = cluster.example(line -> {}, terasort(List.of(), out));
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

  @Test
  void aLocalDirDeletedMidJobDoesNotFailTheJob() throws Exception {
    restart("[NVME]", "vanishing");
    Path fast = cluster.localDirs(0).get(0);
    String out = nextOutput();
    JobResult job =
        sortWhile(
            out,
            () -> {
              // Moved first, so that it goes at one instant and nobody adds to it meanwhile.
              Path gone = fast.resolveSibling("gone");
              Files.move(fast, gone);
              Folders.delete(gone);
            });
    assertSucceeded(job);
    assertEquals(expected, digest(out), "output differs from stock Hadoop's");
  }

  @Test
  @NeedsLoopDisk
  void aDiskThatTurnsReadOnlyMidJobDoesNotFailTheJob() throws Exception {
    Path home = Files.createDirectories(cluster.spec().home().resolve("loop"));
    try (LoopDisk disk = LoopDisk.create(home, 256 << 20)) {
      restart("[NVME]", disk.path().resolve("fast").toString());
      String out = nextOutput();
      JobResult job = sortWhile(out, disk::coverReadOnly);
      assertSucceeded(job);
      assertEquals(expected, digest(out), "output differs from stock Hadoop's");
      // Before the disk goes, so does its user.
      cluster.stopNode(0);
    }
  }

  @Test
  @NeedsLoopDisk
  void anArchiveLargerThanTheFastTierIsLocalized() throws Exception {
    Path home = Files.createDirectories(cluster.spec().home().resolve("small"));
    try (LoopDisk disk = LoopDisk.create(home, 100 << 20)) {
      restart("[NVME]", disk.path().resolve("fast").toString());
      List<String> options = new ArrayList<>();
      options.addAll(List.of("-archives", zeros(home.resolve("large.zip"), 150).toString()));
      String out = nextOutput();
      JobResult job = cluster.example(line -> {}, terasort(options, out));
      assertSucceeded(job);
      assertEquals(0, job.failedAttempts(), "attempts failed");
      assertEquals(expected, digest(out), "output differs from stock Hadoop's");
      List<Path> dirs = cluster.localDirs(0);
      Predicate<Path> unpacked = file -> file.endsWith("large.zip/zeros");
      assertFalse(holds(dirs.get(0), unpacked), "it does not fit there");
      assertTrue(
          dirs.stream().skip(1).anyMatch(dir -> holds(dir, unpacked)), "it is not where it fits");
      // Before the disk goes, so does its user.
      cluster.stopNode(0);
    }
  }

  /** An archive that is small as long as nobody unpacks it. */
  private static Path zeros(Path archive, int megabytes) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
      zip.putNextEntry(new ZipEntry("zeros"));
      for (int i = 0; i < megabytes; i++) {
        zip.write(new byte[1 << 20]);
      }
      zip.closeEntry();
    }
    return archive;
  }

  @Test
  void aBrokenConfigurationLeavesTheNodeManagerOnStockBehaviour() throws Exception {
    restart("[FLOPPY]", "fast");
    JsonNode node = cluster.nodeBeans(0, "Hadoop:service=NodeManager,name=TempTier").path(0);
    assertNotEquals("ACTIVE", node.path("tag.Mode").asText(), node.toString());
    assertTrue(
        cluster.nodeManagers().get(0).logged("FLOPPY"), "the log names the value that is wrong");
    String out = nextOutput();
    JobResult job = cluster.example(line -> {}, terasort(List.of(), out));
    assertSucceeded(job);
    assertEquals(0, job.failedAttempts(), "attempts failed");
    assertEquals(expected, digest(out), "output differs from stock Hadoop's");
  }

  /** Something that happens while a job runs. */
  private interface Mishap {
    void happen() throws IOException, InterruptedException;
  }

  /** Runs the sort, and the mishap once a map has put its output on the first dir. */
  private JobResult sortWhile(String out, Mishap mishap) throws Exception {
    Path dir = cluster.localDirs(0).get(0);
    List<String> options = new ArrayList<>();
    // One map after the other, so that some are yet to come: where the output of a job's only map
    // is lost, stock's reducers give up one after the other, and the job may fail
    // (ShuffleSchedulerImpl.checkReducerHealth).
    options.add("-Dmapreduce.job.running.map.limit=1");
    options.add("-Dmapreduce.input.fileinputformat.split.maxsize=" + BYTES / MAPS);
    // YARN retries at once, and makes every container's folder on every dir that it has not yet
    // found to be bad: stock fails attempts, too, until its next check.
    options.add("-Dmapreduce.map.maxattempts=20");
    options.add("-Dmapreduce.reduce.maxattempts=20");
    FutureTask<JobResult> job =
        new FutureTask<>(() -> cluster.example(line -> {}, terasort(options, out)));
    new Thread(job, "sort").start();
    Eventually.holds(
        "a map output lies below " + dir,
        () -> {
          assertFalse(job.isDone(), "the job ended before a map output was seen");
          return holds(dir, file -> file.endsWith("file.out"));
        });
    mishap.happen();
    return job.get(20, TimeUnit.MINUTES);
  }

  private static boolean holds(Path dir, Predicate<Path> wanted) {
    return !Folders.find(dir, wanted).isEmpty();
  }

  private void restart(String fastTag, String fastPath) throws IOException, InterruptedException {
    cluster.restartNode(
        0,
        cluster
            .spec()
            .change()
            .tiered(true)
            .dirs(new ClusterSpec.Dir(fastTag, Path.of(fastPath)), SLOW1, SLOW2)
            .yarn("temptier.reserve", "1m")
            .yarn("temptier.unknown-size", "1m")
            .yarn("yarn.nodemanager.disk-health-checker.interval-ms", "1000")
            .build());
  }

  private static String[] terasort(List<String> options, String out) {
    List<String> args = new ArrayList<>(List.of("terasort", "-Dmapreduce.job.reduces=2"));
    // Small buffers, so that spills, merges and fetches to disk all happen.
    args.add("-Dmapreduce.task.io.sort.mb=8");
    args.add("-Dmapreduce.reduce.shuffle.input.buffer.percent=0.05");
    // A lost map output is to be noticed in seconds.
    args.add("-Dmapreduce.reduce.shuffle.retry-delay.max.ms=1000");
    args.addAll(options);
    args.add("/in");
    args.add(out);
    return args.toArray(String[]::new);
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
