// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.bench.report.Facts;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import io.temptier.cli.report.MachineFacts;
import io.temptier.cli.report.Page;
import io.temptier.lab.cluster.HadoopRuntime;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs experiments for a command: says what it does, keeps trials, publishes what came of them. */
public final class ExperimentBench {
  private static final String HTML = "report.html";

  private final Terminal terminal;
  private final PrintWriter out;
  private final HadoopRuntime runtime;
  private final String loadBefore;

  /**
   * For a command.
   *
   * @param out hears what a person wants to know
   * @throws IOException when Hadoop's jars are not there
   */
  public ExperimentBench(Terminal terminal, PrintWriter out) throws IOException {
    this.terminal = terminal;
    this.out = out;
    this.runtime = HadoopRuntime.locate();
    // Later there would be the calibration's own in it.
    this.loadBefore = MachineFacts.load();
  }

  /** The Hadoop of this build. */
  public HadoopRuntime runtime() {
    return runtime;
  }

  /** Shows what is being done, until it is closed. */
  public Progress progress(String label) {
    return terminal.progress(label);
  }

  /** Tells a person a line. */
  public void say(String line) {
    out.println(line);
    out.flush();
  }

  /**
   * Begins a run by that plan.
   *
   * @throws CommandFailure when it cannot be run here
   */
  public ResultFolder create(Path folder, ExperimentPlan plan) throws IOException {
    CommandFailure.ifAny(plan.hindrance());
    Map<String, String> facts = Facts.gather(runtime, HadoopRuntime.workFolder(), terminal.typed());
    facts.put(MachineFacts.LOAD_BEFORE, loadBefore);
    return ResultFolder.create(folder, plan, facts);
  }

  /**
   * Makes the trials that are missing, and prints and publishes all.
   *
   * @return what was measured, in this and in earlier calls
   * @throws IOException when a testbed cannot be made, or fails
   */
  public ExperimentResult run(ResultFolder results) throws IOException, InterruptedException {
    ExperimentPlan plan = results.plan();
    ExperimentText.plan(out, plan);
    say("Results: " + results.path() + " (if interrupted: --resume " + results.path() + ")");
    try (Progress progress = progress("bench " + plan.command())) {
      new ExperimentRun(
              results,
              runtime,
              trial -> ExperimentText.trial(out, plan, trial),
              fact -> say("  " + fact),
              progress::say)
          .run();
    }
    Map<String, String> facts = results.facts();
    facts.put("load after", MachineFacts.load());
    ExperimentResult result = new ExperimentResult(plan, results.trials(), facts);
    publish(result, results.path());
    ExperimentText.result(out, result);
    say(
        "Report: "
            + results.path().resolve(HTML)
            + " (report.json, trials.csv and moments.csv beside it)");
    return result;
  }

  /** A result for programs. */
  public static ObjectNode json(ExperimentResult result) {
    return ExperimentJson.of(result);
  }

  /** A result for spreadsheets: a line for each trial, with what all experiments have. */
  public static String csv(ExperimentResult result) {
    return ExperimentCsv.trials(result.trials(), List.of());
  }

  /** A result as a part of a page. */
  public static void chapter(Page page, ExperimentResult result) {
    ExperimentReport.chapter(page, result);
  }

  private static void publish(ExperimentResult result, Path folder) throws IOException {
    Files.writeString(folder.resolve(HTML), ExperimentReport.of(result));
    Files.writeString(folder.resolve("report.json"), json(result).toPrettyString() + "\n");
    Files.writeString(
        folder.resolve("trials.csv"),
        ExperimentCsv.trials(result.trials(), result.plan().figures()));
    Files.writeString(folder.resolve("moments.csv"), ExperimentCsv.moments(result.trials()));
  }
}
