// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jobs;

import io.temptier.bench.experiment.ExperimentBench;
import io.temptier.bench.experiment.ExperimentRun;
import io.temptier.bench.experiment.ResultFolder;
import io.temptier.bench.experiment.Trial;
import io.temptier.cli.Progress;
import io.temptier.lab.testbed.DiskSpeed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Measures the baseline at one speed of the HDDs after the other, as {@link Calibration} wants. */
public final class Calibrator {
  private final ExperimentBench bench;

  /** For a command. */
  public Calibrator(ExperimentBench bench) {
    this.bench = bench;
  }

  /**
   * Begins a run by that plan, on HDDs that are calibrated first: their requests per second are
   * such that the cores are as busy as published while temporary data is on them.
   *
   * @throws IOException when a node or a cluster cannot be run
   */
  ResultFolder createCalibrated(Path folder, JobPlan plan)
      throws IOException, InterruptedException {
    ResultFolder.requireNone(folder);
    Calibration calibration = run(folder.resolve("calibration"), plan);
    DiskSpeed speed = new DiskSpeed(plan.slowDisk().mbPerSecond(), calibration.best().iops());
    ResultFolder results = bench.create(folder, plan.withHdds(speed));
    results.addFact("calibration", calibration.toString());
    return results;
  }

  /**
   * Finds the requests per second of the HDDs of a plan's first setting.
   *
   * @param folder keeps the steps: those that an interrupted search made are not made again
   * @param plan whose nodes it is for; its HDDs' speed is where to begin
   * @throws IOException when a node or a cluster cannot be run
   */
  public Calibration run(Path folder, JobPlan plan) throws IOException, InterruptedException {
    JobPlan baseline = plan.baseline();
    bench.say("Calibrating by " + baseline.description(baseline.settings().get(0)));
    List<Calibration.Step> steps = new ArrayList<>();
    OptionalInt next = OptionalInt.of(plan.slowDisk().iops());
    while (next.isPresent()) {
      int iops = next.getAsInt();
      DiskSpeed speed = new DiskSpeed(plan.slowDisk().mbPerSecond(), iops);
      Calibration.Step step = measure(folder.resolve(iops + "-iops"), baseline.withHdds(speed));
      steps.add(step);
      bench.say("  " + step);
      next = new Calibration(steps).next(plan.slowDisk().iops());
    }
    return new Calibration(steps);
  }

  private Calibration.Step measure(Path folder, JobPlan plan)
      throws IOException, InterruptedException {
    ResultFolder results = ResultFolder.createOrOpen(folder, plan);
    int iops = plan.slowDisk().iops();
    try (Progress progress = bench.progress("calibration")) {
      new ExperimentRun(
              results,
              bench.runtime(),
              trial -> {},
              fact -> {},
              line -> progress.say(iops + " IOPS: " + line))
          .run();
    }
    Trial trial = results.trials().get(0);
    int cores = Runtime.getRuntime().availableProcessors();
    return new Calibration.Step(iops, trial.cpuPerReal() / cores, trial.seconds());
  }
}
