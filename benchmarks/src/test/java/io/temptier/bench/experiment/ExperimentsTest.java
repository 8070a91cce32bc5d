// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.bench.experiment.Experiment.Bounds;
import io.temptier.bench.experiment.GoalSpec.Goal;
import io.temptier.bench.experiment.Trial.TrialId;
import io.temptier.bench.report.MachineFacts;
import io.temptier.bench.report.PageTest.ReportPage;
import io.temptier.bench.workload.TeraSort;
import io.temptier.bench.workload.TrialsOf;
import io.temptier.fixtures.Texts;
import io.temptier.lab.cluster.JobResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The files of experiments are right, and a wrong one is refused with what is wrong. What comes of
 * trials: goals, what programs and people are told, and the files of a run.
 */
final class ExperimentsTest {
  private static final String GOOD =
      """
      {
        "question": "Is it?",
        "workload": {"class": "io.temptier.bench.workload.TeraSort", "rows": 5, "block": "1m", "reduces": 2},
        "settings": [{"name": "fits", "hdds": 3}, {"name": "half", "hdds": 3, "fastShare": 0.5}],
        "arms": ["stock-hdd", "temptier"],
        "quick": {"workload": {"rows": 2}, "settings": ["fits"], "arms": ["temptier"]},
        "goals": [{"id": "g", "goal": "g", "measure": "ratio", "setting": "half", "than": "stock-hdd", "atMost": 1}]
      }
      """;

  private static List<String> names() {
    return Experiments.names();
  }

  @Test
  void everyFileIsListed() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("experiments"))) {
      assertEquals(
          files
              .map(file -> String.valueOf(file.getFileName()))
              .filter(file -> file.endsWith(".json") && !file.equals("arms.json"))
              .map(file -> file.replace(".json", ""))
              .sorted()
              .toList(),
          names().stream().sorted().toList());
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyFileIsRead(String name) {
    for (boolean quick : new boolean[] {false, true}) {
      Experiment experiment = Experiments.named(name, quick);
      assertEquals(name, experiment.label());
      assertFalse(experiment.goals().isEmpty());
      assertTrue(TrialsOf.plan(experiment, 2).trials() > 0);
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void aQuickRunHasLess(String name) {
    Plan whole = TrialsOf.plan(Experiments.named(name, false), 1);
    Plan quick = TrialsOf.plan(Experiments.named(name, true), 1);
    assertTrue(quick.trials() < whole.trials() || !quick.workload().equals(whole.workload()), name);
  }

  @Test
  void sizesMayHaveUnitsAndAQuickRunTakesWhatTheFileHasForIt() {
    Experiment whole = Experiments.of("mine", GOOD, false, Map.of("block", "2m", "slowIops", "80"));
    assertEquals(80, whole.bounds().slowIops());
    assertEquals(Bounds.USUAL.memory(), whole.bounds().memory());
    assertEquals(new TeraSort(5, 2 << 20, 2), whole.workload());
    assertEquals(2, whole.settings().size());
    assertEquals(Setting.FITS, whole.setting("fits").fastShare());
    Experiment quick = Experiments.of("mine", GOOD, true, Map.of());
    assertEquals(new TeraSort(2, 1 << 20, 2), quick.workload());
    assertEquals(List.of("fits"), quick.settings().stream().map(Setting::name).toList());
    assertEquals(List.of(TrialsOf.TEMPTIER), quick.arms());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"1m\" | \"much\" | workload.block=much is no number",
        "\"rows\": 5 | \"row\": 5 | workload.row is no property here, but [",
        "TeraSort | TeraSprt | class=io.temptier.bench.workload.TeraSprt is no workload",
        "\"reduces\": 2 | \"block\": 2 | workload.reduces is missing",
        "\"name\": \"half\", | '' | settings[1].name is missing",
        "\"measure\": \"ratio\", | '' | goals[0].measure is missing",
        "0.5 | 0.5, \"tasks\": -1 | settings[1]: tasks=-1",
        "\"ratio\" | \"rate\" | goals[0].measure=rate is none of RATIO, ROUNDS",
        "\"stock-hdd\", \"temptier\" | \"stock-hd\" | arms=stock-hd is none of stock-hdd",
        "\"half\", \"than\" | \"third\", \"than\" | setting of goal g=third is none of fits, half",
        "\"than\": \"stock-hdd\" | \"than\": \"ideal\" | than of goal g=ideal is none of",
        "\"settings\": [\"fits\"] | \"settings\": [\"fast\"] | quick.settings=fast is none of fits",
        "\"arms\": [\"temptier\"] | \"arms\": [\"x\"] | quick.arms=x is none of stock-hdd",
        "\"quick\": | \"bounds\": {\"slowIop\": 4}, \"quick\": | bounds.slowIop is no property",
        "\"quick\": | \"bounds\": {\"memory\": 0}, \"quick\": | bounds: each must be at least 1",
        "\"question\" | \"answer\" | question, workload, settings or arms is missing",
        "\"workload\": {\"class\" | \"workload\" {\"class\" | is no JSON in line 3"
      })
  void aWrongFileIsRefusedWithWhatIsWrong(String right, String wrong, String told) {
    String file = GOOD.replace(right, wrong);
    assertNotEquals(GOOD, file, "nothing is wrong in it");
    String message =
        Texts.thrown(
            IllegalArgumentException.class,
            () -> Experiments.of("mine", file, true, Map.of()),
            told);
    assertTrue(message.endsWith("compare it with e1.json"), message);
  }

  @Test
  void firstExperiment() {
    Plan plan = TrialsOf.plan("e1", 3);
    List<Trial> trials = new ArrayList<>();
    // hdd, mixed, nvme, temptier, ideal
    trials.addAll(TrialsOf.round(plan, "fits", 1, 200, 210, 96, 95, 94));
    trials.addAll(TrialsOf.round(plan, "fits", 2, 190, 210, 90, 96, 90));
    trials.addAll(TrialsOf.round(plan, "fits", 3, 210, 210, 91, 80, 80));
    // Slower than the median of NVMe only, not than its slowest.
    TrialsOf.expectGoals(
        plan,
        trials,
        "e1-vs-hdd 0.475 true",
        "e1-vs-ideal 1.056 false",
        "e1-vs-nvme-only 1.044 true");
  }

  @Test
  void secondExperimentCountsFailedTasksOfOursOnly() {
    Plan plan = TrialsOf.plan("e2", 1);
    List<Trial> trials = new ArrayList<>();
    for (String setting : List.of("1/2", "1/4")) {
      trials.add(TrialsOf.trial(setting, 1, TrialsOf.STOCK_NVME_ONLY, 30, 13, false));
      trials.add(TrialsOf.trial(setting, 1, TrialsOf.STOCK_MIXED, 100));
      trials.add(TrialsOf.trial(setting, 1, TrialsOf.TEMPTIER, setting.equals("1/2") ? 79 : 99));
    }
    TrialsOf.expectGoals(
        plan, trials, "e2-failed-tasks 0.000 true", "e2-vs-mixed 0.790 true", "e2-vs-mergerfs -");
    trials.add(TrialsOf.trial("1/4", 2, TrialsOf.TEMPTIER, 99, 2, true));
    TrialsOf.expectGoals(plan, trials, "e2-failed-tasks 2.000 false");
  }

  @Test
  void thirdExperimentNeedsEveryNode() {
    Plan plan = TrialsOf.plan("e3", 1);
    List<Trial> trials = new ArrayList<>();
    trials.addAll(TrialsOf.round(plan, "4 HDDs", 1, 100, 50));
    trials.addAll(TrialsOf.round(plan, "2 HDDs", 1, 150, 51));
    TrialsOf.expectGoals(plan, trials, "e3-flat -");
    trials.addAll(TrialsOf.round(plan, "1 HDD", 1, 300, 53));
    TrialsOf.expectGoals(plan, trials, "e3-flat 1.060 false", "e3-hdd-doubles 3.000 true");
  }

  @Test
  void aQuickRunHasAllItsGoals() {
    Map<String, Double> figures =
        Stream.of(
                "smallBesidePerAlone",
                "busiestHdd",
                "hddMib",
                "containerCpu",
                "writeBesideMbps",
                "readBesideMbps")
            .collect(Collectors.toMap(figure -> figure, figure -> 1.0));
    for (String one : Experiments.names()) {
      if (List.of("shuffle", "s3a", "demotion").contains(one)) {
        continue;
      }
      List<Trial> trials = new ArrayList<>();
      Plan plan = TrialsOf.plan(Experiments.named(one, true), 1);
      for (Setting setting : plan.experiment().settings()) {
        for (Arm arm : plan.experiment().arms()) {
          trials.add(TrialsOf.trial(setting.name(), 1, arm, 10, figures));
        }
      }
      for (Goal goal : TrialsOf.result(plan, trials).goals()) {
        boolean needsMergerfs = goal.id().equals("e2-vs-mergerfs");
        assertEquals(needsMergerfs, goal.measured() == null, goal.id());
      }
    }
  }

  @Test
  void aFailedJobHasNoTime() {
    Plan plan = TrialsOf.plan("e1", 1);
    List<Trial> trials = new ArrayList<>(TrialsOf.round(plan, "fits", 1, 200, 210, 96));
    trials.add(TrialsOf.trial("fits", 1, TrialsOf.TEMPTIER, 1, 4, false));
    TrialsOf.expectGoals(plan, trials, "e1-vs-hdd -");
  }

  @Test
  void besideASortRatesAreCompared() {
    Map<String, Double> ours = Map.of("writeBesideMbps", 6.0, "readBesideMbps", 9.0);
    // The stock sort ended before the files were read.
    TrialsOf.expectGoals(
        TrialsOf.plan("e5", 1),
        List.of(
            TrialsOf.trial("two queues", 1, TrialsOf.STOCK_HDD, 10, Map.of("writeBesideMbps", 4.0)),
            TrialsOf.trial("two queues", 1, TrialsOf.TEMPTIER, 10, ours)),
        "e5-write 1.500 true",
        "e5-read -");
  }

  @Test
  void whatWasNotMeasuredIsNeitherMetNorMissed() {
    String markup =
        Goal.table(
                List.of(
                    Goal.of("a", "first", "x", Double.NaN, false),
                    Goal.of("b", "second", "x", 2.0, false),
                    Goal.of("c", "third", "x", 2.0, true)))
            .markup();
    assertTrue(markup.contains("not measured"), markup);
    assertTrue(markup.contains("✗ missed<") && markup.contains("✓ met<"), markup);
    assertFalse(markup.contains("null"), markup);
  }

  @ParameterizedTest
  @CsvSource({"1.01 0.20 0.10, true", "1.00 2.00 2.00, false", "unknown, false"})
  void figuresAreDoubtedOnABusyMachine(String load, boolean doubted) {
    Map<String, String> facts = Map.of("cores", "2", MachineFacts.LOAD_BEFORE, load);
    assertEquals(doubted ? List.of("machine was busy") : List.of(), MachineFacts.doubts(facts));
  }

  private final Plan fits = TrialsOf.plan(TrialsOf.FITS, 2);
  private final ExperimentResult result = TrialsOf.result(fits, trials());

  private List<Trial> trials() {
    List<Trial> trials = new ArrayList<>(TrialsOf.round(fits, "fits", 1, 200, 210, 90));
    trials.add(TrialsOf.trial("fits", 2, TrialsOf.STOCK_HDD, 220));
    trials.add(TrialsOf.trial("fits", 2, TrialsOf.STOCK_NVME_ONLY, 5, 13, false));
    return trials;
  }

  @Test
  void armsHaveTheirSecondsAndFailures() {
    JsonNode root = ExperimentJson.of(result);
    JsonNode hdd = root.path("arms").path(0);
    assertEquals("stock-hdd", hdd.path("name").asText());
    assertEquals("[200.0,220.0]", hdd.path("seconds").toString());
    assertEquals(210, hdd.path("medianSeconds").asDouble());
    assertEquals(0, hdd.path("failedTasks").asInt());
    assertTrue(hdd.path("validated").asBoolean());
    JsonNode nvme = root.path("arms").path(2);
    assertEquals("[90.0]", nvme.path("seconds").toString());
    assertEquals(13, nvme.path("failedTasks").asInt());
    assertEquals(1, nvme.path("failedJobs").asInt());
    assertFalse(nvme.path("validated").asBoolean());
    assertEquals(150, nvme.path("peakTempBytes").asLong());
    JsonNode goal = root.path("goals").path(0);
    assertEquals("e1-vs-hdd", goal.path("id").asText());
    assertTrue(goal.path("measured").isNull() && goal.path("met").isNull(), goal.toString());
    assertEquals(5, root.path("trials").size());
    assertEquals(2.5, hdd.path("words").asDouble());
    assertEquals(1000, root.path("plan").path("workload").path("words").asLong());
    assertEquals(7, root.path("trials").path(0).path("writtenBytes").path("hdd0").asLong());
  }

  @Test
  void theTableOfATerminalFits80Columns() {
    StringWriter text = new StringWriter();
    ExperimentReport.armTable(result, result.arms()).print(new PrintWriter(text));
    assertTrue(text.toString().contains("stock-hdd"), text.toString());
    assertTrue(text.toString().lines().allMatch(line -> line.length() <= 80), text.toString());
  }

  @Test
  void theReportShowsEveryArm() throws IOException {
    String html = ExperimentReport.of(result);
    ReportPage page = ReportPage.read(html);
    JsonNode bars = page.charts().get(0);
    assertEquals("stock-hdd", bars.path("at").path(0).asText());
    JsonNode medians = bars.path("series").path(0);
    assertEquals(210, medians.path("values").path(0).asDouble());
    assertEquals("[200.0,220.0]", medians.path("rounds").path(0).toString());
    assertEquals(TrialsOf.STOCK_HDD.colour(), medians.path("colours").path(0).asText());
    // Three for each arm, all on the same axes.
    assertEquals(1 + 3 * 3, page.charts().size());
    assertEquals(
        "[210.0,210.0,90.0]", medians.path("values").toString(), "arms in the order of the plan");
    for (JsonNode chart : page.charts().subList(1, 10)) {
      assertEquals(1, chart.path("x").path("max").asDouble(), chart::toString);
    }
    assertTrue(page.texts("td").contains("✗ 1 of 2"));
    assertTrue(page.texts("th").contains("words, 1/s"), "the workload's own figure");
    assertTrue(page.ofClass("note").contains("Skipped: mergerfs: <b>"));
  }

  @Test
  void theVerdictIsAmberWhereTheMachineWasBusy() throws IOException {
    var busy =
        new ExperimentResult(
            fits, trials(), Map.of("cores", "2", MachineFacts.LOAD_BEFORE, "6.00 5.00 4.00"));
    List<String> badges = ReportPage.read(ExperimentReport.of(busy)).ofClass("badge doubtful");
    assertTrue(badges.toString().contains("machine was busy"), badges::toString);
  }

  @TempDir private Path dir;

  private final Plan scarce = TrialsOf.plan(TrialsOf.SCARCE, 2);

  @Test
  void aRunIsTakenUpWhereItWasLeft() throws IOException {
    RunFolder folder = open(scarce, "x", false);
    Trial trial = TrialsOf.trial("1/2", 2, TrialsOf.TEMPTIER, 90);
    folder.add(trial);
    assertTrue(folder.note("an HDD", "slow"));
    RunFolder again = open(TrialsOf.plan(TrialsOf.SCARCE, 2), "y", true);
    assertEquals(Map.of("command", "x", "an HDD", "slow"), again.facts());
    assertEquals(List.of("command", "an HDD"), List.copyOf(again.facts().keySet()));
    assertTrue(!again.note("an HDD", "slower"));
    assertEquals(Optional.of(trial), again.trial(trial.id()));
    assertTrue(again.trial(new TrialId("1/4", 2, TrialsOf.TEMPTIER)).isEmpty());
  }

  @Test
  void aTrialIsAFileToComputeWith() throws IOException {
    Trial trial = TrialsOf.trial("1/2", 2, TrialsOf.TEMPTIER, 90);
    open(scarce, "x", false).add(trial);
    Path file = dir.resolve("trials/1-2-2-temptier.json");
    JsonNode json = new ObjectMapper().readTree(file.toFile());
    assertEquals(90, json.path("outcome").path("seconds").asInt());
    JsonNode moment = json.path("moments").path(0);
    assertEquals(0.5, moment.path("cpu").asDouble());
    assertEquals(2, moment.path("disks").path("hdd0").path("writtenMbps").asDouble());
    assertEquals(100, moment.path("tempBytes").path("fast").asLong());
  }

  @Test
  void aFolderHoldsOneRun() throws IOException {
    open(scarce, "./temptier bench run x", false);
    Texts.thrown(IOException.class, () -> open(scarce, "y", false), "x, with --resume " + dir);
    Plan other = TrialsOf.plan(TrialsOf.SCARCE, 3);
    Texts.thrown(IOException.class, () -> open(other, "y", true), "by another plan");
  }

  private RunFolder open(Plan wanted, String command, boolean resumes) throws IOException {
    return new RunFolder(dir, wanted, new HashMap<>(Map.of("command", command)), resumes);
  }

  @Test
  void oneJobIsComparedByItsOwnTime() {
    TrialOutcome outcome = TrialOutcome.of(job("SUCCEEDED", 8, 2));
    assertTrue(outcome.succeeded());
    assertEquals(8, outcome.seconds());
    assertEquals(2, outcome.failedTasks());
    assertEquals(12, TrialOutcome.of(job("NO HISTORY", 0, 0)).seconds());
  }

  @Test
  void ofSeveralTheFirstFailureCounts() {
    TrialOutcome outcome =
        TrialOutcome.of(
            List.of(job("SUCCEEDED", 1, 1), job("KILLED", 1, 2), job("FAILED", 1, 4)),
            5,
            Map.of("x", 1.5));
    assertFalse(outcome.succeeded());
    assertEquals("KILLED", outcome.state());
    assertEquals(7, outcome.failedTasks());
    assertEquals(Map.of("NVME_BYTES", 30L), outcome.counters());
    assertEquals("KILLED", outcome.failedUnless(false, "SHORT").state());
  }

  private static JobResult job(String state, double seconds, int failed) {
    Map<String, Long> placed = Map.of("TEMPTIER-NVME_BYTES_WRITTEN", 10L, "FILE_BYTES_WRITTEN", 5L);
    return TrialsOf.job(
        state,
        seconds,
        failed,
        Map.of("org.apache.hadoop.mapreduce.FileSystemCounter", placed),
        List.of());
  }
}
