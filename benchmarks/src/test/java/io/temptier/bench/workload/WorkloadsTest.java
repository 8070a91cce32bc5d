// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.Experiment;
import io.temptier.bench.experiment.Experiments;
import io.temptier.bench.experiment.Plan;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.workload.BesideGiant.BackgroundJob;
import io.temptier.bench.workload.DfsIoBesideSort.Passed;
import io.temptier.bench.workload.GridmixReplay.TraceSummary;
import io.temptier.lab.cluster.JobResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What workloads make of their numbers, and of what their programs print. */
final class WorkloadsTest {
  private final DfsIoBesideSort files = new DfsIoBesideSort(2, 96, 1, 1);

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
    BackgroundJob<JobResult> job =
        BackgroundJob.start(
            BackgroundJob.AT_WORK,
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

  private static final Experiment EXPERIMENT = Experiments.named("demotion", false);
  private static final Setting NODE = EXPERIMENT.settings().get(0);
  private static final Arm OFF = EXPERIMENT.arms().get(0);
  private static final Arm ON = EXPERIMENT.arms().get(1);

  private static final TrialOutcome SORTED =
      new TrialOutcome(
          true, "SUCCEEDED", 10, 0, 5, Map.of("SPILLED_DOWN_BYTES", 3L << 20), Map.of());

  @ParameterizedTest
  @ValueSource(longs = {600_000, 1_000_000, 3_000_000, 20_000_000})
  void theSortFillsTheFastDiskAboveTheHighMarkAndNotToWhereFilesSpill(long rows) {
    DemotionCost cost = new DemotionCost(rows, 40, 30);
    Plan plan = TrialsOf.plan(EXPERIMENT.with(cost), 1);
    double peak = (double) cost.volume().temp() / TrialsOf.fastBytes(plan, NODE);
    assertTrue(100 * peak > cost.highPercent() + 5, "peak " + peak);
    assertTrue(peak < 0.8, "peak " + peak);
    int maps = cost.sort().maps(NODE);
    assertTrue(maps >= 10 && maps <= 12, "maps " + maps);
  }

  @Test
  void whatTheNodeTellsIsAmongTheFigures() {
    TrialOutcome told = DemotionCost.judge(true, SORTED, 0.5, moved(2 << 20, 7));
    assertTrue(told.succeeded());
    assertEquals(
        Map.of("demotedMib", 2.0, "demotedFiles", 7.0, "peakFill", 0.5, "spilledMib", 3.0),
        told.figures());
  }

  @Test
  void aTrialThatMeasuresSomethingElseDoesNotCount() {
    assertEquals(
        "NOTHING DEMOTED: the fast disk was at most 50 % full, more rows fill it further",
        state(true, moved(0, 0)));
    assertEquals(
        "NOTHING DEMOTED: one tier only",
        state(true, JsonNodeFactory.instance.objectNode().put("off", "one tier only")));
    assertEquals("7 BYTES DEMOTED, with demotion off", state(false, moved(7, 1)));
    assertTrue(DemotionCost.judge(false, SORTED, 0.5, moved(0, 0)).succeeded());
    TrialOutcome retried = new TrialOutcome(true, "SUCCEEDED", 10, 2, 5, Map.of(), Map.of());
    assertFalse(DemotionCost.judge(true, retried, 0.5, moved(7, 1)).succeeded());
  }

  private static String state(boolean on, JsonNode moved) {
    TrialOutcome told = DemotionCost.judge(on, SORTED, 0.5, moved);
    assertFalse(told.succeeded());
    return told.state();
  }

  private static JsonNode moved(long bytes, long files) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("BytesDemoted", bytes)
        .put("FilesDemoted", files);
  }

  @ParameterizedTest
  @ValueSource(strings = {"demotion-gain", "demotion-gain-spark"})
  void smallJobsGoOnTheFastDiskBesideTheGiantsOutputsOrInTheirPlace(String name) {
    Experiment experiment = Experiments.named(name, false);
    DemotionGain gain = (DemotionGain) experiment.workload();
    double fast = TrialsOf.fastBytes(TrialsOf.plan(experiment, 1), experiment.settings().get(0));
    double outputs = gain.giantVolume().temp() / 2.1;
    assertTrue(outputs > 0.8 * fast && outputs < fast, "outputs " + outputs + " of " + fast);
    assertTrue(gain.volume().temp() - gain.giantVolume().temp() < 0.8 * fast);
    assertEquals(
        gain.spark() ? List.of() : List.of("demotion-as-user"),
        experiment.arms().stream().filter(Arm::asUser).map(Arm::label).toList());
  }

  @Test
  void theShareOfTheFastDiskIsOfTheBytesSent() throws IOException {
    String sent = "[{'medium':'NVME','BytesSent':30},{'medium':'DISK','BytesSent':10}]";
    JsonNode media = new ObjectMapper().readTree(sent.replace('\'', '"'));
    assertEquals(0.75, NodeTestbed.fastShare(media));
    assertEquals(Double.NaN, NodeTestbed.fastShare(new ObjectMapper().createArrayNode()));
  }

  @Test
  void oneTrialThatDoesNotCountSpoilsTheRatio() {
    List<Trial> trials = new ArrayList<>();
    for (double seconds : new double[] {100, 104, 90}) {
      trials.add(TrialsOf.trial(NODE.name(), 1 + trials.size(), OFF, seconds));
      trials.add(TrialsOf.trial(NODE.name(), 1 + trials.size(), ON, seconds + 4));
    }
    TrialsOf.expectGoals(TrialsOf.plan(EXPERIMENT, 6), trials, "demotion-cost 1.040 true");
    trials.add(TrialsOf.trial(NODE.name(), 2, ON, 100, 0, false));
    TrialsOf.expectGoals(TrialsOf.plan(EXPERIMENT, 6), trials, "demotion-cost -");
  }

  private static final long MIB = 1 << 20;
  private static final GridmixReplay REPLAY =
      new GridmixReplay(
          "/trace.json",
          128 * MIB,
          new TraceSummary(2, 5, 3, 600 * MIB, 300 * MIB, 150 * MIB, 200 * MIB));

  @TempDir private Path dir;

  @Test
  void aReplayOfAllJobsAndBytesSucceeds() {
    TrialOutcome outcome =
        REPLAY.outcome(
            batch(0, replayed("SUCCEEDED", 0, 200 * MIB), replayed("SUCCEEDED", 2, 101 * MIB)));
    assertTrue(outcome.succeeded(), outcome::state);
    assertEquals(77, outcome.seconds());
    assertEquals(2, outcome.failedTasks());
    assertEquals(Map.of("NVME_BYTES", 14L), outcome.counters());
    assertEquals(301.0, outcome.figures().get("shuffled-mib"));
    assertEquals(30.0, outcome.figures().get("mean-job-seconds"));
    assertEquals(0.0, outcome.figures().get("failed-jobs"));
  }

  @Test
  void jobsThatFailedOrWereNeverSubmittedAreSaid() {
    assertFailed(
        "1 OF 2 JOBS FAILED",
        batch(0, replayed("SUCCEEDED", 0, 300 * MIB), replayed("FAILED", 4, 100 * MIB)));
    assertFailed("1 OF 2 JOBS FAILED", batch(0, replayed("SUCCEEDED", 0, 300 * MIB)));
    assertFailed("2 OF 2 JOBS FAILED", batch(3));
    assertFailed(
        "GRIDMIX ENDED WITH -1",
        batch(-1, replayed("SUCCEEDED", 0, 200 * MIB), replayed("SUCCEEDED", 0, 100 * MIB)));
  }

  @Test
  void jobsThatDoNotWriteTheTracesBytesFail() {
    assertFailed(
        "150 MIB OF 300 SHUFFLED",
        batch(0, replayed("SUCCEEDED", 0, 100 * MIB), replayed("SUCCEEDED", 0, 50 * MIB)));
  }

  @Test
  void noMoreTempDataIsReckonedWithThanJobsAtOnceHave() {
    assertEquals((long) (300 * MIB * 2.1), REPLAY.volume().temp());
    TraceSummary many = new TraceSummary(90, 900, 90, 9000 * MIB, 9000 * MIB, 900 * MIB, 100 * MIB);
    assertEquals((long) (500 * MIB * 2.1), new GridmixReplay("", MIB, many).volume().temp());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void onlyWhatGridmixReplaysIsCopiedAndCounted(boolean own) throws IOException {
    String job =
        "{\"jobID\":\"job_1_0001\",\"submitTime\":1,\"outcome\":\"SUCCESS\",\"totalMaps\":1}";
    Path users =
        Files.writeString(
            dir.resolve("users.json"),
            job
                + job.replace("SUCCESS", "KILLED")
                + job.replace("totalMaps\":1", "totalMaps\":0")
                + job.replace("0001", "0004"));
    String trace = own ? users.toString() : "gridmix.trace";
    GridmixReplay asked = new GridmixReplay(trace, MIB, TraceSummary.NOTHING);
    GridmixReplay begun = (GridmixReplay) asked.begun(TrialsOf.plan("gridmix", 1), dir);
    assertEquals(own ? 2 : 11, begun.summary().jobs());
    assertEquals(own ? 0 : 29, begun.summary().maps());
    assertEquals(own ? 2 : 11, Files.readAllLines(Path.of(begun.trace())).size());
  }

  private static void assertFailed(String state, JobResult.Batch batch) {
    TrialOutcome outcome = REPLAY.outcome(batch);
    assertFalse(outcome.succeeded());
    assertEquals(state, outcome.state());
  }

  private static JobResult.Batch batch(int code, JobResult... jobs) {
    return new JobResult.Batch(code, 77, List.of(jobs), List.of());
  }

  private static JobResult replayed(String state, int failedAttempts, long shuffled) {
    Map<String, Map<String, Long>> counters =
        Map.of(
            "org.apache.hadoop.mapreduce.TaskCounter",
            Map.of("MAP_OUTPUT_MATERIALIZED_BYTES", shuffled),
            "org.apache.hadoop.mapreduce.FileSystemCounter",
            Map.of("TEMPTIER-NVME_BYTES_WRITTEN", 7L));
    return TrialsOf.job(state, 30, failedAttempts, counters, List.of());
  }
}
