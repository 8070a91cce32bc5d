// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.lab.cluster.JobResult;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Small sorts one after the other, while the map outputs of a giant one lie on the fast disk: its
 * reducers need more memory than its queue has, until the small ones are done and it moves to
 * another queue. Compared is the median time of a small one, from its submission to its end.
 *
 * @param jobs how many small ones
 * @param waitSeconds from the end of the giant's maps to the first small one: longer than an output
 *     takes to be cold
 */
public record DemotionGain(long rows, long block, long smallRows, int jobs, int waitSeconds)
    implements BesideGiant {
  private static final Pattern MAPPED = Pattern.compile("map 100% reduce");
  private static final String IN = "small-in";
  private static final String FIRST = "firstSeconds";
  private static final String LAST = "lastSeconds";
  private static final String GIANT_END = "giantEndSeconds";

  @Override
  public TeraSort giant() {
    return new TeraSort(rows, block, 2);
  }

  private TeraSort small() {
    return TeraSort.of(smallRows, block);
  }

  /** Its application master and one map at a time, and no reducer. */
  @Override
  public int giantPercent() {
    return 30;
  }

  @Override
  public String title(Setting setting) {
    return "%s sorts of %s, while %s of map outputs wait for their reducers"
        .formatted(
            jobs, Sizes.format(small().volume().input()), Sizes.format(giant().volume().input()));
  }

  @Override
  public Volume volume() {
    return new Volume(
        giant().volume().input() + small().volume().input(),
        giant().volume().hdfs() + (1 + jobs) * small().volume().hdfs(),
        giant().volume().temp() + small().volume().temp());
  }

  @Override
  public List<Figure> figures() {
    Stream<Figure> own =
        Stream.of(
            new Figure(FIRST, "first small sort, s"),
            new Figure(LAST, "last small sort, s"),
            new Figure(GIANT_END, "the giant's reduces, s"));
    return Stream.concat(own, DemotionCost.FIGURES.stream()).toList();
  }

  @Override
  public void prepare(Setting setting, Jobs jobs) throws IOException, InterruptedException {
    giant().prepare(setting, jobs);
    jobs.makeRows(smallRows, 1, IN);
  }

  @Override
  public TrialOutcome run(TrialRun trial) throws IOException, InterruptedException {
    Map<String, String> held =
        Map.of(
            "mapreduce.job.reduce.slowstart.completedmaps", "1",
            "mapreduce.reduce.memory.mb", "1536");
    BackgroundJob giant = startGiant(trial, trial.output(), MAPPED, held);
    Thread.sleep(waitSeconds * 1000L);
    List<JobResult> all = new ArrayList<>();
    for (int i = 0; giant.running() && i < jobs; i++) {
      String output = trial.output() + "-small-" + i;
      all.add(small().sort(trial, Map.of(), line -> {}, IN, output));
    }
    long releasedNanos = System.nanoTime();
    if (giant.running()) {
      trial.jobs().cluster().move(Objects.requireNonNull(giant.application().get()), "default");
    }
    JobResult sorted = giant.result();
    double endSeconds = (System.nanoTime() - releasedNanos) / 1e9;
    List<Double> seconds = all.stream().map(SmallJobs::seconds).toList();
    double median = SmallJobs.median(all);
    all.add(sorted);
    return TrialOutcome.of(
            all,
            median,
            seconds.isEmpty()
                ? Map.of()
                : Map.of(
                    FIRST, seconds.get(0),
                    LAST, seconds.get(seconds.size() - 1),
                    GIANT_END, endSeconds))
        .failedUnless(seconds.size() == jobs, "THE GIANT ENDED before the small sorts did");
  }

  @Override
  public TrialOutcome judge(TrialRun trial, TrialOutcome outcome, double fill) throws IOException {
    return trial.id().arm().tiered()
        ? DemotionCost.judge(trial.id().arm(), outcome, fill, trial.jobs().ownCluster())
        : outcome;
  }

  @Override
  public boolean validate(TrialRun trial) throws IOException, InterruptedException {
    return giant().validate(trial)
        && trial.jobs().sorted(IN, trial.output() + "-small-" + (jobs - 1));
  }
}
