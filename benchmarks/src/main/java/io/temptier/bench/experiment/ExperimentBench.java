// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.bench.report.Facts;
import io.temptier.bench.report.Goal;
import io.temptier.bench.report.MachineFacts;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import io.temptier.lab.cluster.HadoopRuntime;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Runs experiments for a command: says what it does, keeps trials, publishes what came of them. */
public final class ExperimentBench {
  /** Else a table's lines are too long for a terminal. */
  private static final int FIGURES_IN_A_TABLE = 8;

  private final Terminal terminal;
  private final PrintWriter out;
  private final HadoopRuntime runtime;
  private final String loadBefore;

  public ExperimentBench(Terminal terminal, PrintWriter out) throws IOException {
    this.terminal = terminal;
    this.out = out;
    this.runtime = HadoopRuntime.locate();
    // Later there would be the calibration's own in it.
    this.loadBefore = MachineFacts.load();
  }

  private void say(String line) {
    out.println(line);
    out.flush();
  }

  /**
   * Begins a run by that plan.
   *
   * @throws CommandFailure when it cannot be run here
   */
  public ResultFolder create(Path folder, Plan plan) throws IOException {
    CommandFailure.ifAny(plan.workload().hindrance(plan));
    Map<String, String> facts = Facts.gather(runtime, HadoopRuntime.workFolder(), terminal.typed());
    facts.put(MachineFacts.LOAD_BEFORE, loadBefore);
    ResultFolder.requireNone(folder);
    Files.createDirectories(folder);
    Workload begun = plan.workload().begun(plan, folder);
    Plan ready = plan.with(plan.experiment().with(begun), plan.site(), plan.skipped());
    return ResultFolder.create(folder, ready, facts);
  }

  /**
   * Makes the trials that are missing, and prints and publishes all.
   *
   * @return what was measured, in this and in earlier calls
   */
  public ExperimentResult run(ResultFolder results) throws IOException, InterruptedException {
    Plan plan = results.plan();
    Path folder = results.path();
    tell(plan);
    say("Results: " + folder + " (if interrupted: --resume " + folder + ")");
    try (Progress progress = terminal.progress("bench " + plan.label())) {
      new ExperimentRun(results, runtime, out, progress::say).run();
    }
    Map<String, String> facts = results.facts();
    facts.put("load after", MachineFacts.load());
    ExperimentResult result = new ExperimentResult(plan, results.trials(), facts);
    Files.writeString(folder.resolve("report.html"), ExperimentReport.of(result));
    Files.writeString(
        folder.resolve("report.json"), ExperimentJson.of(result).toPrettyString() + "\n");
    Files.writeString(
        folder.resolve("trials.csv"), ResultTables.trials(result.trials(), plan.figures()).csv());
    Files.writeString(folder.resolve("moments.csv"), ResultTables.moments(result.trials()).csv());
    tell(result);
    String page = folder.resolve("report.html").toString();
    say("Report: " + page + " (report.json, trials.csv and moments.csv beside it)");
    return result;
  }

  private void tell(Plan plan) {
    out.println(plan.title() + ".\n" + plan.workload().lead(plan) + ".");
    List<Arm> told = List.of();
    for (Part part : plan.parts()) {
      if (!part.arms().equals(told)) {
        told = part.arms();
        String arms = told.stream().map(Arm::label).collect(Collectors.joining(", "));
        out.println((plan.rounds() == 1 ? "1 round" : plan.rounds() + " rounds") + " of " + arms);
      }
      part.settings().forEach(one -> out.println("  " + one + ": " + plan.description(one)));
    }
    plan.skipped().forEach(line -> out.println("Skipped: " + line));
    say("");
  }

  private void tell(ExperimentResult result) {
    out.println();
    ResultTables.arms(result, result.arms()).print(out);
    List<Figure> figures = result.plan().figures();
    for (int from = 0; from < figures.size(); from += FIGURES_IN_A_TABLE) {
      int to = Math.min(figures.size(), from + FIGURES_IN_A_TABLE);
      ResultTables.figures(result.arms(), figures.subList(from, to)).print(out);
    }
    out.println("Goals (ratios within this run)");
    Goal.table(result.goals()).print(out);
    result.plan().skipped().forEach(line -> out.println("  skipped: " + line));
    result.facts().forEach((what, value) -> out.println("  " + what + ": " + value));
  }
}
