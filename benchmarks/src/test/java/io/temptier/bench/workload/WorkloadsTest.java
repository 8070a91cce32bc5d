// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.experiment.Setting;
import io.temptier.bench.jobs.TrialsOf;
import io.temptier.bench.workload.BesideGiant.BackgroundJob;
import io.temptier.bench.workload.DfsIo.Passed;
import io.temptier.fixtures.Texts;
import io.temptier.lab.cluster.JobResult;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What workloads make of their numbers, and of what their programs print. */
final class WorkloadsTest {
  private final DfsIo files = new DfsIo(2, 96);

  @Test
  void readsWhatTestDfsioPrints() {
    Passed passed = files.passed(job("SUCCEEDED", "192", "23.21"));
    assertEquals(23.21, passed.mbPerSecond());
    assertTrue(passed.whole());
  }

  @Test
  void missingBytesAreSeen() {
    assertFalse(files.passed(job("SUCCEEDED", "96", "23.21")).whole());
    assertFalse(files.passed(job("FAILED", "192", "23.21")).whole());
  }

  @Test
  void nothingPrintedIsNothingDone() {
    JobResult silent = TrialsOf.job("NOT SUBMITTED", 0, 0, Map.of(), List.of());
    Passed passed = files.passed(silent);
    assertEquals(0, passed.mbPerSecond());
    assertFalse(passed.whole());
  }

  private static JobResult job(String state, String megabytes, String rate) {
    List<String> log =
        List.of(
            "2026-01-01 00:00:00,000 INFO TestDFSIO: ----- TestDFSIO ----- : write",
            "2026-01-01 00:00:00,000 INFO TestDFSIO:         Number of files: 2",
            "2026-01-01 00:00:00,000 INFO TestDFSIO:  Total MBytes processed: " + megabytes,
            "2026-01-01 00:00:00,000 INFO TestDFSIO:       Throughput mb/sec: " + rate,
            "2026-01-01 00:00:00,000 INFO TestDFSIO:  Average IO rate mb/sec: 99.9");
    return TrialsOf.job(state, 8, 0, Map.of(), log);
  }

  private final Setting setting = TrialsOf.node("some", 3, Setting.FITS);

  @Test
  void aMapForEachBlockAndAtMostFourReduces() {
    TeraSort small = new TeraSort(1_000_000, 32 << 20, 4);
    assertEquals(3, small.maps(setting));
    assertEquals(3, small.reduces(setting));
    assertEquals(4, new TeraSort(7_680_000, 32 << 20, 4).reduces(setting));
    assertEquals(20, new TeraSort(7_680_000, 32 << 20, 20).reduces(setting));
  }

  @Test
  void aNodeOfManyTasksHasAMapForEach() {
    TeraSort sort = new TeraSort(7_680_000, 128 << 20, 4);
    assertEquals(6, sort.maps(setting));
    Setting busy = new Setting("busy", 3, Setting.FITS, 14, 0, false, List.of());
    assertTrue(sort.maps(busy) >= 13 && sort.maps(busy) <= 14, () -> sort.title(busy));
    assertEquals(0, sort.blockBytes(busy) % (1 << 20), "HDFS wants whole checksum chunks");
    assertEquals(32 << 20, new TeraSort(7_680_000, 32 << 20, 4).blockBytes(busy));
  }

  private static final List<String> STOCK =
      List.of(
          "STEP\ttpcds-tables:/tables:10\tmade\t900",
          "STEP\ttpcds:/tables:q65\t12 rows ab\t100",
          "STEP\ttpcds:/tables:q67\tfailed\t200",
          "STEP\ttpcds:/tables:q97\t1 rows cd\t300");

  @Test
  void anArmIsRightThatGivesWhatStockGives() {
    assertEquals(
        List.of(),
        TpcdsQueries.wrong(
            STOCK,
            List.of(
                "STEP\ttpcds:/tables:q65\t12 rows ab\t50",
                "STEP\ttpcds:/tables:q67\t3 rows ef\t50",
                "STEP\ttpcds:/tables:q97\t1 rows cd\t50")));
  }

  @Test
  void anotherResultAndAMissingOneAreWrong() {
    assertEquals(
        List.of("tpcds:/tables:q65 12 rows ab", "tpcds:/tables:q97 1 rows cd"),
        TpcdsQueries.wrong(STOCK, List.of("STEP\ttpcds:/tables:q65\tfailed\t50")));
  }

  private final CountDownLatch heard = new CountDownLatch(1);
  private final CountDownLatch atWork = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);

  @Test
  void itIsAtWorkOnceAMapIs() throws Exception {
    BackgroundJob job =
        BackgroundJob.start(
            output -> {
              output.accept("INFO mapreduce.Job:  map 0% reduce 0%");
              heard.countDown();
              atWork.await();
              output.accept("INFO mapreduce.Job:  map 7% reduce 0%");
              end.await();
              return TrialsOf.job("SUCCEEDED", 8, 0, Map.of(), List.of());
            });
    heard.await();
    assertEquals(1, job.begun().getCount());
    atWork.countDown();
    job.begun().await();
    assertTrue(job.running());
    end.countDown();
    assertEquals("SUCCEEDED", job.result().state());
    assertFalse(job.running());
  }

  @Test
  void oneThatFailsIsNotWaitedFor() throws Exception {
    BackgroundJob job =
        BackgroundJob.start(
            output -> {
              throw new IOException("no cluster");
            });
    job.begun().await();
    Texts.thrown(IOException.class, job::result, "no cluster");
  }
}
