// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.gridmix;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ExperimentBench;
import io.temptier.bench.experiment.ExperimentPlan;
import io.temptier.bench.experiment.ResultFolder;
import io.temptier.bench.gridmix.GridmixReplay.Policy;
import io.temptier.bench.jobs.Experiment;
import io.temptier.bench.jobs.JobCommand;
import io.temptier.bench.jobs.JobPlan;
import io.temptier.bench.jobs.NodeSetting;
import io.temptier.bench.node.NodeProfile;
import io.temptier.bench.trace.RumenTraceWriter;
import io.temptier.bench.trace.TraceSummary;
import io.temptier.cli.plan.Trace;
import io.temptier.cli.report.MachineFacts;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench gridmix} command. */
@Command(
    name = "gridmix",
    description = {
      "Replays many jobs, small and large, by Hadoop's own Gridmix on an emulated worker node,"
          + " their temporary data on HDDs, on a fast disk or on both, with TempTier and without,"
          + " in turn.",
      "Compared is the time from the first submission to the last job's end. HDDs are as in `bench"
          + " terasort`; needs root. Without --trace it replays what `bench trace` writes."
    })
public final class GridmixCommand extends JobCommand {
  private static final String LABEL = "gridmix";
  private static final long TASKS = 48;
  private static final long QUICK_TASKS = 16;
  private static final long SEED = 1;
  private static final String BLOCK = "128m";
  private static final String TRACE = "trace.json.gz";

  @Option(
      names = "--trace",
      paramLabel = "PATH",
      description =
          "Replay this: a trace of Rumen's TraceBuilder (JSON, also .gz), or a folder with .jhist"
              + " files. What is not on the node's scale takes as long as it takes.")
  private @Nullable Path trace;

  @Option(
      names = "--tasks",
      paramLabel = "N",
      description =
          "Tasks of the synthetic trace, at least (default: 48; with --quick 16): `bench trace"
              + " --tasks`.")
  private @Nullable Long tasks;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      defaultValue = "STRESS",
      description =
          "When Gridmix submits the next job, one of ${COMPLETION-CANDIDATES}: while fewer jobs run"
              + " than a third of the tasks at once, when the trace says, or when the last has"
              + " ended (default: ${DEFAULT-VALUE}).")
  private Policy policy = Policy.STRESS;

  @Option(
      names = "--block",
      paramLabel = "SIZE",
      defaultValue = BLOCK,
      description = "HDFS's block, and a map's input (default: ${DEFAULT-VALUE}).")
  private String block = "";

  /**
   * Its part in a run of all experiments: a published node, and a synthetic trace.
   *
   * @param quick fewer jobs, and only the arms that the goal compares
   */
  public static Experiment experiment(NodeProfile profile, Path folder, boolean quick)
      throws IOException {
    Files.createDirectories(folder);
    Path file = folder.resolve(TRACE);
    TraceSummary summary =
        TraceSummary.synthetic(SEED, quick ? QUICK_TASKS : TASKS, profile.tasks(), file);
    GridmixReplay replay =
        new GridmixReplay(profile, file.toString(), summary, Policy.STRESS, Sizes.parse(BLOCK));
    Experiment all = experiment(replay);
    return quick ? all.only(all.settings(), List.of(Arm.STOCK_HDD, Arm.TEMPTIER)) : all;
  }

  /** Of no trace yet: it says which options are wrong, before anything is made. */
  @Override
  protected JobPlan plan() {
    terminal.atLeastOne("--tasks", tasks());
    return plan(replay(Path.of(""), TraceSummary.NOTHING));
  }

  private JobPlan plan(GridmixReplay replay) {
    return plan(experiment(replay));
  }

  @Override
  protected ResultFolder create(ExperimentBench bench, ExperimentPlan nothing)
      throws IOException, InterruptedException {
    Path folder = options.folder("gridmix-" + profile().label());
    ResultFolder.requireNone(folder);
    Files.createDirectories(folder);
    Path copy = folder.resolve(TRACE);
    TraceSummary summary = write(copy, json.textOf(terminal));
    ResultFolder results = create(bench, folder, plan(replay(copy, summary)));
    results.addFact(
        MachineFacts.TRACE,
        trace == null ? MachineFacts.SYNTHETIC + ", seed " + SEED : trace.toString());
    return results;
  }

  /** Makes the trace, or copies what Gridmix replays of the user's. */
  private TraceSummary write(Path copy, PrintWriter out) throws IOException {
    if (trace == null) {
      return TraceSummary.synthetic(SEED, tasks(), profile().tasks(), copy);
    }
    TraceSummary summary;
    if (Files.isDirectory(trace)) {
      summary = TraceSummary.writing(Trace.open(trace), copy);
    } else {
      long others = RumenTraceWriter.copyReplayable(trace, copy);
      if (others > 0) {
        out.println("Not replayed, for they failed or had no maps: " + others + " jobs");
      }
      summary = TraceSummary.of(Trace.open(copy));
    }
    if (summary.jobs() == 0) {
      throw new IOException(trace + " has no job that succeeded and had maps");
    }
    return summary;
  }

  private GridmixReplay replay(Path copy, TraceSummary summary) {
    long blockBytes = terminal.size("--block", block);
    return new GridmixReplay(profile(), copy.toString(), summary, policy, blockBytes);
  }

  private static Experiment experiment(GridmixReplay replay) {
    NodeProfile profile = replay.profile();
    NodeSetting setting = NodeSetting.of(profile.label(), profile.hdds(), NodeSetting.FITS);
    return new Experiment(
        LABEL,
        LABEL,
        "Many jobs, small and large",
        List.of(setting.withTasks(profile.tasks())),
        Arm.USUAL,
        replay);
  }

  private NodeProfile profile() {
    return jobs.profile().orElse(NodeProfile.TWITTER_LIKE);
  }

  private long tasks() {
    return tasks != null ? tasks : options.quick() ? QUICK_TASKS : TASKS;
  }
}
