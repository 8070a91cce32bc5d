// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.bench.experiment.GoalSpec.Goal;
import io.temptier.bench.experiment.Trial.TrialId;
import io.temptier.bench.experiment.Workload.Testbed;
import io.temptier.bench.report.Figures;
import io.temptier.bench.report.MachineFacts;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import io.temptier.cli.Words;
import io.temptier.lab.cluster.HadoopRuntime;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.jspecify.annotations.Nullable;

/**
 * Makes the trials of an experiment that its folder does not hold yet, on a testbed for each part,
 * and says what it does. The report is written after each trial, so that of a run that was cut off
 * it has those that were made.
 */
public final class ExperimentRun {
  /** Else a table's lines are too long for a terminal. */
  private static final int FIGURES_IN_A_TABLE = 8;

  private final Plan plan;
  private final Path folder;
  private final RunFolder kept;
  private final HadoopRuntime runtime;
  private final PrintWriter out;
  private final Progress progress;
  private final List<Trial> trials = new ArrayList<>();
  private @Nullable Closeable shared;

  private ExperimentRun(
      Plan plan,
      Path folder,
      boolean resumes,
      Terminal terminal,
      PrintWriter out,
      Progress progress)
      throws IOException {
    CommandFailure.ifAny(plan.workload().hindrance(plan));
    this.folder = folder;
    this.runtime = HadoopRuntime.locate();
    this.out = out;
    this.progress = progress;
    Map<String, String> seen =
        MachineFacts.gather(runtime, HadoopRuntime.workFolder(), terminal.typed());
    seen.put(MachineFacts.LOAD_BEFORE, MachineFacts.load());
    this.kept = new RunFolder(folder, plan, seen, resumes);
    Workload begun = plan.workload().begun(plan, folder);
    this.plan = plan.with(plan.experiment().with(begun), plan.skipped());
  }

  /**
   * Makes them. Each testbed is gone before the next is made, and when this returns or throws.
   *
   * @throws IOException when a testbed fails; what fails of what is measured is a result
   * @throws CommandFailure when it cannot be run here
   */
  static ExperimentResult of(
      Plan plan, Path folder, boolean resumes, Terminal terminal, PrintWriter out)
      throws IOException, InterruptedException {
    try (Progress progress = terminal.progress("bench run " + plan.label())) {
      return new ExperimentRun(plan, folder, resumes, terminal, out, progress).all();
    }
  }

  private ExperimentResult all() throws IOException, InterruptedException {
    tell(plan);
    say("Results: " + folder + " (if interrupted, the same command with --resume " + folder + ")");
    try {
      for (Part part : plan.parts()) {
        List<TrialId> missing = new ArrayList<>();
        for (TrialId id : part.trials(plan.rounds())) {
          kept.trial(id).ifPresentOrElse(trials::add, () -> missing.add(id));
        }
        if (missing.isEmpty()) {
          continue;
        }
        try (Testbed testbed = plan.workload().open(plan, part, this)) {
          for (TrialId id : missing) {
            if (testbed.runs(id)) {
              Trial trial = testbed.run(id);
              kept.add(trial);
              trials.add(trial);
              publish();
              tell(trial);
            }
          }
        }
      }
    } finally {
      if (shared != null) {
        shared.close();
      }
    }
    progress.close();
    kept.note("load after", MachineFacts.load());
    ExperimentResult result = publish();
    tell(result);
    String page = folder.resolve("report.html").toString();
    say("Report: " + page + " (report.json beside it)");
    return result;
  }

  private ExperimentResult publish() throws IOException {
    ExperimentResult result = new ExperimentResult(plan, trials, kept.facts());
    Files.writeString(folder.resolve("report.html"), ExperimentReport.of(result));
    Files.writeString(
        folder.resolve("report.json"), ExperimentJson.of(result).toPrettyString() + "\n");
    return result;
  }

  private void say(String line) {
    out.println(line);
    out.flush();
  }

  private void tell(Plan whole) {
    out.println(whole.title() + ".\n" + whole.workload().lead(whole) + ".");
    List<Arm> told = List.of();
    for (Part part : whole.parts()) {
      if (!part.arms().equals(told)) {
        told = part.arms();
        String arms = told.stream().map(Arm::label).collect(Collectors.joining(", "));
        out.println(Words.plural(whole.rounds(), "round") + " of " + arms);
      }
      part.settings().forEach(one -> out.println("  " + one + ": " + whole.description(one)));
    }
    whole.skipped().forEach(line -> out.println("Skipped: " + line));
    say("");
  }

  private void tell(Trial trial) {
    String failure = trial.counts() ? "" : "  " + trial.state();
    if (!trial.counts() && plan.workload().runsJobs()) {
      String output = trial.validated() ? "right" : "missing or wrong";
      failure += ", " + trial.failedTasks() + " failed tasks, output " + output;
    }
    String text = Figures.text(trial.figure(plan.compared().name()), 1);
    out.printf(
        Locale.ROOT, "  %-34s %7s %s%s%n", trial.id(), text, plan.compared().title(), failure);
    out.flush();
  }

  private void tell(ExperimentResult result) {
    out.println();
    ExperimentReport.armTable(result, result.arms()).print(out);
    List<Figure> figures = plan.figures();
    for (int from = 0; from < figures.size(); from += FIGURES_IN_A_TABLE) {
      int to = Math.min(figures.size(), from + FIGURES_IN_A_TABLE);
      ExperimentReport.figureTable(result.arms(), figures.subList(from, to)).print(out);
    }
    out.println("Goals (ratios within this run)");
    Goal.table(result.goals()).print(out);
    plan.skipped().forEach(line -> out.println("  skipped: " + line));
    kept.facts().forEach((what, value) -> out.println("  " + what + ": " + value));
  }

  /** The one thing that all testbeds share: opened for the first, and closed after the last. */
  public <T extends Closeable> T shared(Class<T> type, CallableRaisingIOE<T> opener)
      throws IOException {
    Closeable there = shared;
    if (there == null) {
      there = opener.apply();
      shared = there;
    }
    return type.cast(there);
  }

  public HadoopRuntime runtime() {
    return runtime;
  }

  public void progress(String what) {
    progress.say(what);
  }

  /** Notes what a reader of the report needs to know, unless it is noted already. */
  public void note(String what, String value) throws IOException {
    if (kept.note(what, value)) {
      say("  " + what + ": " + value);
    }
  }
}
