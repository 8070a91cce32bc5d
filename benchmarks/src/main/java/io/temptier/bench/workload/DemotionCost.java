// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.PseudoCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A sort whose map outputs are demoted while it runs, beside the same sort without demotion. The
 * fast disk is filled above the high mark, and not to the 85 % where new files pass it by: without
 * demotion all stays on it, so that all that demotion costs is seen and nothing that it brings.
 *
 * @param highPercent of the fast disk, where demotion starts
 */
public record DemotionCost(long rows, int highPercent, int lowPercent) implements JobWorkload {

  private static final String BYTES_DEMOTED = "BytesDemoted";
  private static final String FILES_DEMOTED = "FilesDemoted";
  private static final String DEMOTED = "demotedMib";
  private static final String FILES = "demotedFiles";
  private static final String SPILLED = "spilledMib";
  private static final String PEAK = "peakFill";
  private static final double MIB = 1 << 20;
  private static final int TASK_MIB = 512;

  /** What {@link #judge} adds. */
  static final List<Figure> FIGURES =
      List.of(
          new Figure(DEMOTED, "demoted, MiB"),
          new Figure(FILES, "map outputs demoted"),
          new Figure(PEAK, "fast disk filled at most, 0 to 1"),
          new Figure(SPILLED, "placed below for want of room, MiB"));

  /** So that there are enough map outputs to choose from. */
  private static final int MAPS = 12;

  /** There are more reduces than run at a time: outputs are read again. */
  TeraSort sort() {
    return TeraSort.of(rows, TeraSort.blockBytes(rows, MAPS));
  }

  @Override
  public String title(Setting setting) {
    return "%s; demotion from %s %% of the fast disk down to %s %%"
        .formatted(sort().title(setting), highPercent, lowPercent);
  }

  @Override
  public Volume volume() {
    return sort().volume();
  }

  @Override
  public long blockBytes(Setting setting) {
    return sort().blockBytes(setting);
  }

  @Override
  public List<Figure> figures() {
    return FIGURES;
  }

  @Override
  public void configure(ClusterSpec spec, Setting setting) {
    spec.taskMemoryMiB(TASK_MIB)
        // The application master takes as much as a task.
        .nodeMemoryMiB((1 + setting.tasks()) * TASK_MIB)
        // What it costs to move each output, however soon that is read.
        .yarn("temptier.demotion.cold-after", "1ms")
        .yarn("temptier.demotion.high", highPercent + "%")
        .yarn("temptier.demotion.low", lowPercent + "%")
        // A disk of some hundred megabytes must not be promised away to work dirs.
        .yarn("temptier.unknown-size", "1m")
        // Reducers of this size would keep so little data in memory.
        .mapred("mapreduce.reduce.shuffle.input.buffer.percent", "0.25");
  }

  @Override
  public void prepare(Setting setting, Jobs jobs) throws IOException, InterruptedException {
    sort().prepare(setting, jobs);
  }

  @Override
  public TrialOutcome run(TrialRun trial) throws IOException, InterruptedException {
    return sort().run(trial);
  }

  /** A trial counts if something was demoted in the one arm, and nothing in the other. */
  @Override
  public TrialOutcome judge(TrialRun trial, TrialOutcome outcome, double fill) throws IOException {
    return judge(trial.id().arm(), outcome, fill, trial.jobs().ownCluster());
  }

  static TrialOutcome judge(Arm arm, TrialOutcome outcome, double fill, PseudoCluster cluster)
      throws IOException {
    ObjectNode moved = (ObjectNode) NodeTestbed.shuffle(cluster, "Demotion");
    JsonNode blocks = cluster.nodeBeans(0, NodeTestbed.NODE).path(0);
    add(moved, BYTES_DEMOTED, blocks.path("BlockBytesDemoted"));
    add(moved, FILES_DEMOTED, blocks.path("BlocksDemoted"));
    return judge(on(arm), outcome, fill, moved);
  }

  private static void add(ObjectNode to, String name, JsonNode more) {
    to.put(name, to.path(name).asLong() + more.asLong());
  }

  /**
   * What came of a sort.
   *
   * @param moved what was demoted since the NodeManager's start, Spark's blocks included, as it
   *     says
   */
  static TrialOutcome judge(boolean on, TrialOutcome outcome, double fill, JsonNode moved) {
    long bytes = moved.path(BYTES_DEMOTED).asLong();
    long spilled = outcome.counters().getOrDefault("SPILLED_DOWN_BYTES", 0L);
    String nothing =
        moved.path("off").isTextual()
            ? moved.path("off").asText()
            : "the fast disk was at most "
                + Math.round(100 * fill)
                + " % full, more rows fill it further";
    return outcome
        .with(
            Map.of(
                DEMOTED,
                bytes / MIB,
                FILES,
                moved.path(FILES_DEMOTED).asDouble(),
                PEAK,
                fill,
                SPILLED,
                spilled / MIB))
        .failedUnless(outcome.failedTasks() == 0, "FAILED ATTEMPTS: their time is in the job's")
        .failedUnless(bytes > 0 || !on, "NOTHING DEMOTED: " + nothing)
        .failedUnless(bytes == 0 || on, bytes + " BYTES DEMOTED, with demotion off");
  }

  private static boolean on(Arm arm) {
    return !"false".equals(arm.properties().get("temptier.demotion.enabled"));
  }

  @Override
  public boolean validate(TrialRun trial) throws IOException, InterruptedException {
    return sort().validate(trial);
  }
}
