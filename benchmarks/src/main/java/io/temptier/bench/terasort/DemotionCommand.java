// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.terasort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.jobs.Experiment;
import io.temptier.bench.jobs.JobCommand;
import io.temptier.bench.jobs.JobPlan;
import io.temptier.bench.jobs.JobWorkload;
import io.temptier.bench.jobs.Jobs;
import io.temptier.bench.jobs.NodeSetting;
import io.temptier.bench.report.Goal;
import io.temptier.cli.ExitCodes;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.HadoopCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench demotion} command. */
@Command(
    name = "demotion",
    description = {
      "Measures how much demotion slows a running job: the same sort with demotion and without, in"
          + " turn.",
      "As root the disks are emulated: two ext4 on loop devices, one of them throttled by the"
          + " kernel. Otherwise they are folders of one disk. Takes about a quarter of an hour on"
          + " two idle cores."
    },
    exitCodeList = {
      "0:all trials were made, and every one counts",
      "1:the node or the cluster could not be run, or nothing was demoted",
      "2:wrong use"
    })
public final class DemotionCommand extends JobCommand {
  private static final long ROWS = 3_000_000;
  private static final long QUICK_ROWS = 1_000_000;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "Rows of 100 bytes to sort (default: 3000000; with --quick 1000000).")
  private @Nullable Long rows;

  @Override
  protected int exitCode(ExperimentResult result) {
    return result.allCount() ? ExitCodes.FINE : ExitCodes.FAILED;
  }

  @Override
  protected JobPlan plan() {
    long planRows = rows != null ? rows : options.quick() ? QUICK_ROWS : ROWS;
    terminal.atLeastOne("--rows", planRows);
    return plan(DemotionCost.experiment(planRows));
  }

  /**
   * A sort whose map outputs are demoted while it runs, beside the same sort without demotion. The
   * fast disk is filled above the high mark, and not to the 85 % where new files pass it by:
   * without demotion all stays on it, so that all that demotion costs is seen and nothing that it
   * brings.
   *
   * @param highPercent of the fast disk, where demotion starts
   */
  record DemotionCost(TeraSort sort, int highPercent, int lowPercent) implements JobWorkload {
    private static final String LABEL = "demotion";
    static final Arm OFF = arm(false, "#5b7fb8");
    static final Arm ON = arm(true, "#0e9aa7");

    /** How far the sort alone fills the fast disk. */
    static final double FILL = 0.72;

    private static final int TASKS = 3;

    /** How many times as long the sort may take. */
    private static final double GOAL = 1.05;

    private static final String DEMOTED = "demotedMib";
    private static final String FILES = "demotedFiles";
    private static final String SPILLED = "spilledMib";
    private static final String PEAK = "peakFill";
    private static final String INFO = "Hadoop:service=NodeManager,name=TempTierShuffleInfo";
    private static final double MIB = 1 << 20;
    private static final int TASK_MIB = 512;

    /** So that there are enough map outputs to choose from. */
    private static final int MAPS = 12;

    static Experiment experiment(long rows) {
      // What is demoted meets shuffle on the slow disk, and not HDFS.
      NodeSetting node = NodeSetting.of("1 HDD", 1, 1 / FILL).withTasks(TASKS).withHdfsApart();
      return new Experiment(
          LABEL, LABEL, "What demotion costs a job", List.of(node), List.of(OFF, ON), of(rows));
    }

    /**
     * A sort of so many rows. There are more reduces than run at a time: outputs are read again.
     */
    static DemotionCost of(long rows) {
      return new DemotionCost(TeraSort.of(rows, TeraSort.blockBytes(rows, MAPS)), 40, 30);
    }

    private static Arm arm(boolean on, String colour) {
      String word = on ? "on" : "off";
      return Arm.tiered(
          "demotion-" + word,
          "TempTier, demotion " + word,
          colour,
          Map.of("temptier.demotion.enabled", Boolean.toString(on)));
    }

    @Override
    public String title(NodeSetting setting) {
      return "%s; demotion from %s %% of the fast disk down to %s %%"
          .formatted(sort.title(setting), highPercent, lowPercent);
    }

    @Override
    public Volume volume() {
      return sort.volume();
    }

    @Override
    public long blockBytes(NodeSetting setting) {
      return sort.blockBytes(setting);
    }

    @Override
    public int rounds() {
      return 5;
    }

    @Override
    public List<Figure> figures() {
      return List.of(
          new Figure(DEMOTED, "demoted, MiB"),
          new Figure(FILES, "map outputs demoted"),
          new Figure(PEAK, "fast disk filled at most, 0 to 1"),
          new Figure(SPILLED, "placed below for want of room, MiB"));
    }

    @Override
    public void configure(ClusterSpec.Builder spec, NodeSetting setting) {
      spec.taskMemoryMiB(TASK_MIB)
          // The application master takes as much as a task.
          .nodeMemoryMiB((1 + setting.tasks()) * TASK_MIB)
          .yarn("temptier.demotion.high", highPercent + "%")
          .yarn("temptier.demotion.low", lowPercent + "%")
          // A disk of some hundred megabytes must not be promised away to work dirs.
          .yarn("temptier.unknown-size", "1m")
          // Reducers of this size would keep so little data in memory.
          .mapred("mapreduce.reduce.shuffle.input.buffer.percent", "0.25");
    }

    @Override
    public JobWorkload baseline() {
      return TeraSort.tiny();
    }

    @Override
    public void prepare(NodeSetting setting, Jobs jobs) throws IOException, InterruptedException {
      sort.prepare(setting, jobs);
    }

    @Override
    public TrialOutcome run(TrialRun trial) throws IOException, InterruptedException {
      return sort.run(trial);
    }

    /** A trial counts if something was demoted in the one arm, and nothing in the other. */
    @Override
    public TrialOutcome judge(TrialRun trial, TrialOutcome outcome, double fill)
        throws IOException {
      return judge(trial.id().arm(), outcome, fill, demotion(trial.cluster()));
    }

    /**
     * What came of a sort.
     *
     * @param moved what was demoted since the NodeManager's start, as it says
     */
    static TrialOutcome judge(Arm arm, TrialOutcome outcome, double fill, JsonNode moved) {
      long bytes = moved.path("BytesDemoted").asLong();
      long spilled = outcome.counters().getOrDefault("SPILLED_DOWN_BYTES", 0L);
      String nothing =
          moved.path("off").isTextual()
              ? moved.path("off").asText()
              : "the fast disk was at most "
                  + Math.round(100 * fill)
                  + " % full, more --rows fill it further";
      return outcome
          .with(
              Map.of(
                  DEMOTED,
                  bytes / MIB,
                  FILES,
                  moved.path("FilesDemoted").asDouble(),
                  PEAK,
                  fill,
                  SPILLED,
                  spilled / MIB))
          .failedUnless(outcome.failedTasks() == 0, "FAILED ATTEMPTS: their time is in the job's")
          .failedUnless(bytes > 0 || arm.equals(OFF), "NOTHING DEMOTED: " + nothing)
          .failedUnless(bytes == 0 || arm.equals(ON), bytes + " BYTES DEMOTED, with demotion off");
    }

    private static JsonNode demotion(HadoopCluster cluster) throws IOException {
      JsonNode text = cluster.nodeBeans(0, INFO).path(0).path("Demotion");
      if (!text.isTextual()) {
        throw new IOException(
            "the NodeManager has no bean " + INFO + ": TempTier's shuffle handler did not start");
      }
      return new ObjectMapper().readTree(text.asText());
    }

    @Override
    public boolean validate(TrialRun trial) throws IOException, InterruptedException {
      return sort.validate(trial);
    }

    /** One trial that does not count spoils the ratio. */
    @Override
    public List<Goal> goals(ExperimentResult result) {
      return List.of(
          Goal.atMost(
              "demotion-cost",
              "demotion slows a running job by at most 5 %",
              result.allCount()
                  ? result.ratio(result.setting(), Figure.SECONDS.name(), ON, OFF)
                  : null,
              GOAL),
          result.nothingFails("demotion-failed-tasks", "no failed task, all output right"));
    }
  }
}
