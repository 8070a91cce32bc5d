// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.dfsio;

import io.temptier.bench.dfsio.DfsFiles.Access;
import io.temptier.bench.dfsio.DfsFiles.Passed;
import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.jobs.JobWorkload;
import io.temptier.bench.jobs.Jobs;
import io.temptier.bench.jobs.NodeSetting;
import io.temptier.bench.report.Goal;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * TestDFSIO by itself: writes files, and reads others that are cold. Compared is the time of both
 * jobs.
 */
record DfsIo(DfsFiles files) implements JobWorkload {

  private static final String WRITE = "writeMbps";
  private static final String READ = "readMbps";
  private static final String COLD = "cold";

  /** What a job's files take that is neither input nor output: next to nothing. */
  private static final long TEMP_BYTES = 64L << 20;

  @Override
  public String title(NodeSetting setting) {
    return "TestDFSIO writes and reads " + files;
  }

  @Override
  public Volume volume() {
    return new Volume(files.bytes(), 2 * files.bytes(), TEMP_BYTES);
  }

  @Override
  public List<Figure> figures() {
    return List.of(new Figure(WRITE, "write, MB/s per file"), new Figure(READ, "read"));
  }

  @Override
  public boolean anyCluster() {
    return true;
  }

  @Override
  public void prepare(NodeSetting setting, Jobs jobs) throws IOException, InterruptedException {
    files.make(jobs, jobs.path(COLD));
  }

  @Override
  public TrialOutcome run(TrialRun trial) throws IOException, InterruptedException {
    Passed write = files.pass(Access.WRITE, trial, trial.output());
    Passed read = files.pass(Access.READ, trial, trial.jobs().path(COLD));
    return TrialOutcome.of(
            List.of(write.job(), read.job()),
            TrialOutcome.seconds(write.job()) + TrialOutcome.seconds(read.job()),
            Map.of(WRITE, write.mbPerSecond(), READ, read.mbPerSecond()))
        .failedUnless(write.whole() && read.whole(), DfsFiles.SHORT);
  }

  @Override
  public boolean validate(TrialRun trial) {
    return true;
  }

  /** Where next to no temporary data is written, nothing is to be won, and nothing to be lost. */
  @Override
  public List<Goal> goals(ExperimentResult result) {
    return List.of(
        result.noSlower("dfsio-vs-hdd", "TestDFSIO", result.setting(), Arm.STOCK_HDD),
        result.nothingFails("dfsio-failed-tasks", "TestDFSIO: no failed task, no byte missing"));
  }
}
