// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.Figure.Sample;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.lab.cluster.JobResult;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Small sorts one after the other, first alone, then for as long as a giant one runs beside them in
 * a queue of its own. Compared is the median time of a small one beside it, from its submission to
 * its end.
 */
public record SmallJobs(long rows, long block, int reduces, long smallRows) implements BesideGiant {
  static final String ALONE = "smallAloneSeconds";

  /** How many times as long it takes beside the giant. */
  static final String RATIO = "smallBesidePerAlone";

  private static final String GIANT = "giantSeconds";
  private static final String IN = "small-in";
  private static final int JOBS_ALONE = 3;
  private static final int MAX_BESIDE = 12;

  @Override
  public TeraSort giant() {
    return new TeraSort(rows, block, reduces);
  }

  private TeraSort small() {
    return TeraSort.of(smallRows, block);
  }

  @Override
  public String title(Setting setting) {
    return "Sorts of %s beside a %s, each in a queue of its own"
        .formatted(Sizes.format(small().volume().input()), giant().title(setting));
  }

  @Override
  public Volume volume() {
    return new Volume(
        giant().volume().input() + small().volume().input(),
        giant().volume().hdfs() + (1 + JOBS_ALONE + MAX_BESIDE) * small().volume().hdfs(),
        giant().volume().temp() + small().volume().temp());
  }

  @Override
  public List<Figure> figures() {
    return List.of(
        new Figure(ALONE, "small job alone, s"),
        new Figure(RATIO, "beside / alone"),
        new Figure(GIANT, "giant, s"));
  }

  @Override
  public void prepare(Setting setting, Jobs jobs) throws IOException, InterruptedException {
    giant().prepare(setting, jobs);
    jobs.makeRows(small().rows(), 1, IN);
  }

  @Override
  public TrialOutcome run(TrialRun trial) throws IOException, InterruptedException {
    List<JobResult> all = new ArrayList<>();
    for (int i = 0; i < JOBS_ALONE; i++) {
      all.add(sort(trial, "-alone-" + i));
    }
    double alone = median(all);
    BackgroundJob<JobResult> background = startGiant(trial, trial.output());
    List<JobResult> beside = new ArrayList<>();
    while (background.running() && beside.size() < MAX_BESIDE) {
      JobResult job = sort(trial, "-beside-" + beside.size());
      // The last one is alone again for a part of its time.
      if (background.running() || beside.isEmpty()) {
        beside.add(job);
      }
    }
    JobResult sorted = background.result();
    all.addAll(beside);
    all.add(sorted);
    double seconds = beside.isEmpty() ? 0 : median(beside);
    return TrialOutcome.of(
        all,
        seconds,
        Map.of(ALONE, alone, RATIO, seconds / alone, GIANT, TrialOutcome.seconds(sorted)));
  }

  private JobResult sort(TrialRun trial, String output) throws IOException, InterruptedException {
    return small()
        .sort(trial, Map.of(TeraSort.REDUCES, "1"), line -> {}, IN, trial.output() + output);
  }

  static double median(List<JobResult> jobs) {
    return new Sample(jobs.stream().map(SmallJobs::seconds).toList()).median();
  }

  static double seconds(JobResult job) {
    return job.submittedSeconds() > 0 ? job.submittedSeconds() : job.seconds();
  }

  @Override
  public boolean validate(TrialRun trial) throws IOException, InterruptedException {
    return giant().validate(trial) && trial.jobs().sorted(IN, trial.output() + "-beside-0");
  }
}
