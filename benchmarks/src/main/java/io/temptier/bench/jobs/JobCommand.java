// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jobs;

import io.temptier.bench.experiment.ExperimentBench;
import io.temptier.bench.experiment.ExperimentCommand;
import io.temptier.bench.experiment.ExperimentPlan;
import io.temptier.bench.experiment.ResultFolder;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A command that measures jobs on a cluster. */
@Command
public abstract class JobCommand extends ExperimentCommand {
  @Mixin protected final JobOptions jobs = new JobOptions();

  protected JobPlan plan(Experiment experiment) {
    return jobs.plan(terminal, options, experiment);
  }

  @Override
  protected ResultFolder create(ExperimentBench bench, ExperimentPlan plan)
      throws IOException, InterruptedException {
    return create(bench, folder(plan), (JobPlan) plan);
  }

  /** Begins a run in a folder, on calibrated HDDs if that was asked for. */
  protected ResultFolder create(ExperimentBench bench, Path folder, JobPlan plan)
      throws IOException, InterruptedException {
    if (!jobs.calibrate()) {
      return bench.create(folder, plan);
    }
    ResultFolder.requireNone(folder);
    Calibration calibration = Calibration.run(bench, folder.resolve("calibration"), plan);
    ResultFolder results = bench.create(folder, plan.withIops(calibration.best().iops()));
    results.addFact("calibration", calibration.toString());
    return results;
  }
}
