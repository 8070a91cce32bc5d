// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.workload.DfsIo.Passed;
import io.temptier.lab.cluster.JobResult;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * TestDFSIO alone, and then beside a sort in a queue of its own. What it reads is cold each time.
 * Compared is the time of both its jobs beside the sort.
 */
public record DfsIoBesideSort(int files, int megabytes, long rows, long block)
    implements BesideGiant {
  /** MB/s beside the sort; missing where the sort ended first. */
  static final String WRITE_BESIDE = "writeBesideMbps";

  static final String READ_BESIDE = "readBesideMbps";
  private static final String WRITE_ALONE = "writeAloneMbps";
  private static final String READ_ALONE = "readAloneMbps";
  private static final String SORT = "sortSeconds";
  private static final String COLD_ALONE = "cold-alone";
  private static final String COLD_BESIDE = "cold-beside";
  private static final int COLD_SETS = 2;
  private static final int WRITTEN_SETS = 2;

  @Override
  public String title(Setting setting) {
    return "TestDFSIO writes and reads %s, alone and beside a %s, each in a queue of its own"
        .formatted(dfsIo().words(), giant().title(setting));
  }

  @Override
  public Volume volume() {
    long input = giant().volume().input() + COLD_SETS * dfsIo().bytes();
    long hdfs =
        giant().volume().hdfs()
            + giant().volume().input()
            + (COLD_SETS + WRITTEN_SETS) * dfsIo().bytes();
    return new Volume(input, hdfs, giant().volume().temp());
  }

  @Override
  public TeraSort giant() {
    return TeraSort.of(rows, block);
  }

  private DfsIo dfsIo() {
    return new DfsIo(files, megabytes);
  }

  @Override
  public List<Figure> figures() {
    return List.of(
        new Figure(WRITE_ALONE, "write alone, MB/s per file"),
        new Figure(WRITE_BESIDE, "beside"),
        new Figure(READ_ALONE, "read alone"),
        new Figure(READ_BESIDE, "beside"),
        new Figure(SORT, "sort, s"));
  }

  @Override
  public void prepare(Setting setting, Jobs jobs) throws IOException, InterruptedException {
    giant().prepare(setting, jobs);
    dfsIo().make(jobs, jobs.path(COLD_ALONE));
    dfsIo().make(jobs, jobs.path(COLD_BESIDE));
  }

  @Override
  public TrialOutcome run(TrialRun trial) throws IOException, InterruptedException {
    Map<String, Double> figures = new HashMap<>();
    Passed writeAlone = dfsIo().pass(DfsIo.WRITE, trial, trial.output() + "-alone");
    Passed readAlone = dfsIo().pass(DfsIo.READ, trial, trial.jobs().path(COLD_ALONE));
    figures.put(WRITE_ALONE, writeAlone.mbPerSecond());
    figures.put(READ_ALONE, readAlone.mbPerSecond());
    BackgroundJob<JobResult> background = startGiant(trial, trial.output());
    Passed write = dfsIo().pass(DfsIo.WRITE, trial, trial.output() + "-beside");
    if (background.running()) {
      figures.put(WRITE_BESIDE, write.mbPerSecond());
    }
    JobResult sorted = background.result();
    // Reading is to meet the sort in its maps, too, and not only its end.
    background = startGiant(trial, again(trial));
    Passed read = dfsIo().pass(DfsIo.READ, trial, trial.jobs().path(COLD_BESIDE));
    if (background.running()) {
      figures.put(READ_BESIDE, read.mbPerSecond());
    }
    JobResult sortedAgain = background.result();
    figures.put(SORT, (TrialOutcome.seconds(sorted) + TrialOutcome.seconds(sortedAgain)) / 2);
    List<Passed> all = List.of(writeAlone, readAlone, write, read);
    return TrialOutcome.of(
            List.of(
                writeAlone.job(), readAlone.job(), write.job(), read.job(), sorted, sortedAgain),
            TrialOutcome.seconds(write.job()) + TrialOutcome.seconds(read.job()),
            figures)
        .failedUnless(all.stream().allMatch(Passed::whole), DfsIo.SHORT);
  }

  @Override
  public boolean validate(TrialRun trial) throws IOException, InterruptedException {
    return giant().validate(trial) && giant().sorted(trial, again(trial));
  }

  private static String again(TrialRun trial) {
    return trial.output() + "-again";
  }
}
