// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.Experiment;
import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.experiment.Experiments;
import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.GoalSpec.Goal;
import io.temptier.bench.experiment.NodeSample;
import io.temptier.bench.experiment.NodeSample.DiskRate;
import io.temptier.bench.experiment.Plan;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.Site;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.experiment.Trial.TrialId;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.lab.cluster.JobResult;
import io.temptier.lab.testbed.DiskTraffic;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Results that nobody measured. */
public final class TrialsOf {
  private static final List<Arm> ALL = Experiments.named("e2", false).arms();
  public static final Arm STOCK_HDD = ALL.get(0);
  public static final Arm STOCK_MIXED = ALL.get(1);
  public static final Arm STOCK_NVME_ONLY = ALL.get(2);
  public static final Arm TEMPTIER = ALL.get(4);
  public static final Arm IDEAL = ALL.get(5);

  /** One node, where all fits. */
  public static final Experiment FITS = counting("e1");

  /** Two nodes, where it does not. */
  public static final Experiment SCARCE = counting("e2");

  private TrialsOf() {}

  /** A setting with as many tasks as usual, all of whose fast disk is free. */
  public static Setting node(String name, int hdds, double fastShare) {
    return new Setting(name, hdds, fastShare, Setting.TASKS, 0, false, List.of());
  }

  private static Experiment counting(String name) {
    return Experiments.named(name, false).with(new CountingWords(1000));
  }

  /** A plan of one that comes with the benchmarks. */
  public static Plan plan(String name, int rounds) {
    return plan(Experiments.named(name, false), rounds);
  }

  /** A plan without the arm that is not possible everywhere. */
  public static Plan plan(Experiment experiment, int rounds) {
    return new Plan(
        experiment
            .only(
                experiment.settings(),
                experiment.arms().stream().filter(arm -> !arm.merged()).toList())
            .times(rounds),
        List.of("mergerfs: <b>"),
        Site.EMULATED,
        Map.of());
  }

  public static Trial trial(String setting, int round, Arm arm, double seconds) {
    return trial(setting, round, arm, seconds, 0, true);
  }

  public static Trial trial(
      String setting, int round, Arm arm, double seconds, int failedTasks, boolean right) {
    String state = right ? "SUCCEEDED" : "FAILED";
    Map<String, Long> counters = Map.of("NVME_BYTES", 11L);
    Map<String, Double> figures = Map.of("words", 2.5);
    return trial(
        new TrialId(setting, round, arm),
        new TrialOutcome(right, state, seconds, failedTasks, seconds, counters, figures));
  }

  private static Trial trial(TrialId id, TrialOutcome outcome) {
    Map<String, DiskRate> rates =
        Map.of("hdd0", new DiskRate(1, 2, 0.3), "nvme0", new DiskRate(4, 5, 0.1));
    NodeSample moment = new NodeSample(1, 0.5, 0.2, rates, new NodeSample.TempBytes(100, 50));
    return new Trial(
        id,
        outcome,
        outcome.succeeded(),
        outcome.seconds() + 5,
        outcome.seconds(),
        Map.of("hdd0", new DiskTraffic(1, 9, 1, 7, 1), "nvme0", new DiskTraffic(1, 10, 1, 8, 1)),
        "0.1 0.2 0.3",
        List.of(moment));
  }

  /** A trial with figures of its workload's own. */
  public static Trial trial(
      String setting, int round, Arm arm, double seconds, Map<String, Double> figures) {
    return trial(
        new TrialId(setting, round, arm),
        new TrialOutcome(true, "SUCCEEDED", seconds, 0, seconds, Map.of(), figures));
  }

  public static long fastBytes(Plan plan, Setting setting) {
    return new JobPlan(plan).fastBytes(setting);
  }

  /** A round of each arm, in the plan's order of arms. */
  public static List<Trial> round(Plan plan, String setting, int round, double... seconds) {
    List<Trial> trials = new ArrayList<>();
    for (int i = 0; i < seconds.length; i++) {
      trials.add(trial(setting, round, plan.experiment().arms().get(i), seconds[i]));
    }
    return trials;
  }

  public static ExperimentResult result(Plan plan, List<Trial> trials) {
    return new ExperimentResult(plan, trials, Map.of("command", "x <b>"));
  }

  /** A job of so many seconds by the JobHistoryServer, and of 12 by its client. */
  public static JobResult job(
      String state,
      double seconds,
      int failedAttempts,
      Map<String, Map<String, Long>> counters,
      List<String> log) {
    int code = state.equals(TrialOutcome.FINE) ? 0 : 1;
    return new JobResult(
        "x",
        "job_1_0001",
        code,
        12,
        seconds,
        seconds,
        state,
        2,
        1,
        failedAttempts,
        0,
        counters,
        log);
  }

  /** Holds the goals of trials against what is expected: {@code id figure met}, or {@code id -}. */
  public static void expectGoals(Plan plan, List<Trial> trials, String... expected) {
    Map<String, String> goals = new HashMap<>();
    for (Goal goal : result(plan, trials).goals()) {
      String text =
          goal.measured() == null
              ? goal.id() + " -"
              : String.format(Locale.ROOT, "%s %.3f %b", goal.id(), goal.measured(), goal.met());
      goals.put(goal.id(), text);
    }
    for (String one : expected) {
      assertEquals(one, goals.get(one.split(" ", -1)[0]));
    }
  }

  /**
   * A workload that nobody runs.
   *
   * @param words how many
   */
  public record CountingWords(long words) implements JobWorkload {
    @Override
    public String title(Setting setting) {
      return "Counting of " + words + " words";
    }

    @Override
    public Volume volume() {
      return new Volume(words << 20, words << 21, words << 21);
    }

    @Override
    public long blockBytes(Setting setting) {
      return 32 << 20;
    }

    @Override
    public List<Figure> figures() {
      return List.of(new Figure("words", "words, 1/s"));
    }

    @Override
    public boolean anyCluster() {
      return true;
    }

    @Override
    public void prepare(Setting setting, Jobs jobs) {}

    @Override
    public TrialOutcome run(TrialRun trial) {
      return new TrialOutcome(true, "SUCCEEDED", 1, 0, 0, Map.of(), Map.of());
    }

    @Override
    public boolean validate(TrialRun trial) {
      return true;
    }
  }
}
