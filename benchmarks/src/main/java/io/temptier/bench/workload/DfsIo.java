// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.jobs.JobWorkload;
import io.temptier.bench.jobs.Jobs;
import io.temptier.bench.workload.DfsFiles.Passed;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * TestDFSIO by itself: writes files, and reads others that are cold. Compared is the time of both
 * jobs.
 */
public record DfsIo(int files, int megabytes) implements JobWorkload {
  private static final String WRITE = "writeMbps";
  private static final String READ = "readMbps";
  private static final String COLD = "cold";

  /** What a job's files take that is neither input nor output: next to nothing. */
  private static final long TEMP_BYTES = 64L << 20;

  private DfsFiles dfsFiles() {
    return new DfsFiles(files, megabytes);
  }

  @Override
  public String title(Setting setting) {
    return "TestDFSIO writes and reads " + dfsFiles();
  }

  @Override
  public Volume volume() {
    return new Volume(dfsFiles().bytes(), 2 * dfsFiles().bytes(), TEMP_BYTES);
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
  public void prepare(Setting setting, Jobs jobs) throws IOException, InterruptedException {
    dfsFiles().make(jobs, jobs.path(COLD));
  }

  @Override
  public TrialOutcome run(TrialRun trial) throws IOException, InterruptedException {
    Passed write = dfsFiles().pass(DfsFiles.WRITE, trial, trial.output());
    Passed read = dfsFiles().pass(DfsFiles.READ, trial, trial.jobs().path(COLD));
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
}
