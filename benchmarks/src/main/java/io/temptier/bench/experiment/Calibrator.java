// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.bench.cluster.HadoopRuntime;
import io.temptier.bench.testbed.DiskSpeed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** Measures the baseline at one speed of the HDDs after the other, as {@link Calibration} wants. */
final class Calibrator {
  private final HadoopRuntime runtime;
  private final Consumer<CalibrationStep> made;
  private final Consumer<String> progress;

  /**
   * A calibrator.
   *
   * @param made hears of each step
   * @param progress hears what is being done
   */
  Calibrator(HadoopRuntime runtime, Consumer<CalibrationStep> made, Consumer<String> progress) {
    this.runtime = runtime;
    this.made = made;
    this.progress = progress;
  }

  /**
   * Calibrates the HDDs of a plan's first setting.
   *
   * @param folder keeps the steps: those that an interrupted run made are not made again
   * @param plan whose nodes it is for; its HDDs' speed is where to begin
   * @throws IOException when a node or a cluster cannot be run
   */
  Calibration run(Path folder, ExperimentPlan plan) throws IOException, InterruptedException {
    ExperimentPlan baseline = plan.baseline();
    List<CalibrationStep> steps = new ArrayList<>();
    OptionalInt next = OptionalInt.of(plan.slowDisk().iops());
    while (next.isPresent()) {
      int iops = next.getAsInt();
      DiskSpeed speed = new DiskSpeed(plan.slowDisk().mbPerSecond(), iops);
      CalibrationStep step = measure(folder.resolve(iops + "-iops"), baseline.withHdds(speed));
      steps.add(step);
      made.accept(step);
      next = new Calibration(steps).next(plan.slowDisk().iops());
    }
    return new Calibration(steps);
  }

  private CalibrationStep measure(Path folder, ExperimentPlan plan)
      throws IOException, InterruptedException {
    ResultFolder results = ResultFolder.createOrOpen(folder, plan);
    int iops = plan.slowDisk().iops();
    new ExperimentRun(
            results, runtime, trial -> {}, line -> progress.accept(iops + " IOPS: " + line))
        .run();
    Trial trial = results.trials().get(0);
    int cores = Runtime.getRuntime().availableProcessors();
    return new CalibrationStep(iops, trial.cpuPerReal() / cores, trial.seconds());
  }
}
