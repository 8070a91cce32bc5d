// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.bench.cluster.Facts;
import io.temptier.bench.cluster.HadoopRuntime;
import io.temptier.bench.testbed.DiskSpeed;
import io.temptier.bench.testbed.PageCache;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import io.temptier.cli.report.Page;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Runs experiments for a command: says what it does, keeps trials, publishes what came of them. */
public final class ExperimentBench {
  private static final String HTML = "report.html";

  private final Terminal terminal;
  private final PrintWriter out;
  private final HadoopRuntime runtime;

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
  }

  /**
   * Begins a run by that plan.
   *
   * @throws CommandFailure when it cannot be run here
   */
  public ResultFolder create(Path folder, ExperimentPlan plan) throws IOException {
    CommandFailure.ifAny(plan.hindrance());
    Map<String, String> facts = Facts.gather(runtime, HadoopRuntime.workFolder(), terminal.typed());
    facts.put("load before", Facts.load());
    facts.put(
        "page cache",
        PageCache.canDropAll() ? "dropped before each trial" : "not dropped, which needs root");
    return ResultFolder.create(folder, plan, facts);
  }

  /**
   * Begins a run by that plan, on HDDs that are calibrated first: their requests per second are
   * such that the cores are as busy as published while temporary data is on them.
   *
   * @throws IOException when a node or a cluster cannot be run
   */
  ResultFolder createCalibrated(Path folder, ExperimentPlan plan)
      throws IOException, InterruptedException {
    ResultFolder.requireNone(folder);
    Calibration calibration = calibrate(folder.resolve("calibration"), plan);
    DiskSpeed speed = new DiskSpeed(plan.slowDisk().mbPerSecond(), calibration.best().iops());
    ResultFolder results = create(folder, plan.withHdds(speed));
    results.addFact("calibration", calibration.toString());
    return results;
  }

  /**
   * Finds the requests per second of the HDDs of a plan's first setting.
   *
   * @param folder keeps what was measured, so that an interrupted search is continued
   * @throws IOException when a node or a cluster cannot be run
   */
  public Calibration calibrate(Path folder, ExperimentPlan plan)
      throws IOException, InterruptedException {
    Workload baseline = plan.workload().baseline();
    Setting setting = plan.experiment().settings().get(0);
    out.println("Calibrating by " + baseline.title(setting) + "; " + plan.description(setting));
    out.flush();
    try (Progress progress = terminal.progress("calibration")) {
      return new Calibrator(
              runtime,
              step -> {
                out.println("  " + step);
                out.flush();
              },
              progress::say)
          .run(folder, plan);
    }
  }

  /**
   * Makes the trials that are missing, and prints and publishes all.
   *
   * @return what was measured, in this and in earlier calls
   * @throws IOException when a node or a cluster cannot be run
   */
  public ExperimentResult run(ResultFolder results) throws IOException, InterruptedException {
    String command = "bench " + results.plan().workload().command();
    ExperimentText.plan(out, results.plan());
    out.println(
        "Results: " + results.path() + " (if interrupted: --resume " + results.path() + ")");
    out.flush();
    try (Progress progress = terminal.progress(command)) {
      new ExperimentRun(results, runtime, trial -> ExperimentText.trial(out, trial), progress::say)
          .run();
    }
    Map<String, String> facts = results.facts();
    facts.put("load after", Facts.load());
    ExperimentResult result = new ExperimentResult(results.plan(), results.trials(), facts);
    publish(result, results.path());
    ExperimentText.result(out, result);
    out.println(
        "Report: "
            + results.path().resolve(HTML)
            + " (report.json, trials.csv and moments.csv beside it)");
    out.flush();
    return result;
  }

  /** A result for programs. */
  public static ObjectNode json(ExperimentResult result) {
    return ExperimentJson.of(result);
  }

  /** A result for spreadsheets: a line for each trial. */
  public static String csv(ExperimentResult result) {
    return ExperimentCsv.trials(result.trials());
  }

  /** A result as a part of a page. */
  public static void chapter(Page page, ExperimentResult result) {
    ExperimentReport.chapter(page, result);
  }

  private static void publish(ExperimentResult result, Path folder) throws IOException {
    Files.writeString(folder.resolve(HTML), ExperimentReport.of(result));
    Files.writeString(folder.resolve("report.json"), json(result).toPrettyString() + "\n");
    Files.writeString(folder.resolve("trials.csv"), csv(result));
    Files.writeString(folder.resolve("moments.csv"), ExperimentCsv.moments(result.trials()));
  }
}
