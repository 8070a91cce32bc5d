// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.JobResult;
import io.temptier.lab.cluster.SparkResult;
import io.temptier.lab.cluster.SparkRuntime;
import io.temptier.lab.process.Shell;
import io.temptier.lab.spark.SparkWork;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Small sorts one after the other, while the map outputs of a giant one lie on the fast disk: its
 * reducers need more memory than its queue has, until the small ones are done and it moves to
 * another queue; an application of Spark waits between two readings of one shuffle. Compared is the
 * median time of a small one, from its submission to its end.
 *
 * @param jobs how many small ones
 * @param waitSeconds from the end of the giant's maps to the first small one: longer than an output
 *     takes to be cold
 * @param spark whether the giant is an application of Spark
 */
public record DemotionGain(
    long rows, long block, long smallRows, int jobs, int waitSeconds, boolean spark)
    implements BesideGiant {
  private static final Pattern MAPPED = Pattern.compile("map 100% reduce");
  private static final Pattern SORTED = Pattern.compile(SparkWork.STEP + "\tsort");

  /** A row of Spark's, as Java serializes it. */
  private static final int SPARK_ROW_BYTES = 122;

  private static final String IN = "small-in";
  private static final String FIRST = "firstSeconds";
  private static final String LAST = "lastSeconds";
  private static final String GIANT_END = "giantEndSeconds";

  @Override
  public TeraSort giant() {
    return new TeraSort(rows, block, 2);
  }

  Volume giantVolume() {
    Volume sort = Volume.ofSort(rows * (spark ? SPARK_ROW_BYTES : TeraSort.ROW_BYTES));
    return spark ? new Volume(0, Volume.REPORT_BYTES, sort.temp()) : sort;
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
    return "%s sorts of %s, while %s of %s wait to be read"
        .formatted(
            jobs,
            Sizes.format(small().volume().input()),
            Sizes.format(rows * TeraSort.ROW_BYTES),
            spark ? "Spark's shuffle" : "map outputs");
  }

  @Override
  public Volume volume() {
    return new Volume(
        giantVolume().input() + small().volume().input(),
        giantVolume().hdfs() + (1 + jobs) * small().volume().hdfs(),
        giantVolume().temp() + small().volume().temp());
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
  public void configure(ClusterSpec spec, Setting setting) throws IOException {
    BesideGiant.super.configure(spec, setting);
    if (spark) {
      SparkRuntime.locate().configure(spec);
    }
  }

  @Override
  public void prepare(Setting setting, Jobs jobs) throws IOException, InterruptedException {
    if (!spark) {
      giant().prepare(setting, jobs);
    }
    jobs.makeRows(smallRows, 1, IN);
  }

  /** Starts the giant, whose reducers wait for memory. */
  private BackgroundJob<TrialOutcome> startSort(TrialRun trial) {
    Map<String, String> held =
        Map.of(
            QUEUE_NAME,
            QUEUE,
            "mapreduce.job.reduce.slowstart.completedmaps",
            "1",
            "mapreduce.reduce.memory.mb",
            "1536");
    return BackgroundJob.start(
        MAPPED,
        output -> TrialOutcome.of(giant().sort(trial, held, output, TeraSort.IN, trial.output())));
  }

  /** Starts the giant of Spark, which reads its shuffle again once that file is there. */
  private BackgroundJob<TrialOutcome> startSpark(TrialRun trial, Path released) {
    Map<String, String> own = Map.of("spark.yarn.queue", QUEUE, SparkJob.EXECUTORS, "1");
    long each = rows / SparkJob.MAPS;
    List<String> work =
        Shell.line(SparkJob.MAPS, each, SparkJob.REDUCES, "sort", "await:" + released, "sort");
    return BackgroundJob.start(
        SORTED,
        output -> {
          SparkResult result =
              SparkJob.submit(SparkRuntime.locate(), own, trial.jobs(), true, "", work, output);
          List<String> sorts =
              result.digests().stream().filter(step -> step.startsWith("sort")).toList();
          return SparkJob.outcome(result, step -> step)
              .failedUnless(
                  sorts.size() == 2 && sorts.get(0).equals(sorts.get(1)),
                  "ITS SHUFFLE read twice gave " + sorts);
        });
  }

  @Override
  public TrialOutcome run(TrialRun trial) throws IOException, InterruptedException {
    Path released = trial.jobs().ownCluster().spec().home().resolve("released-" + trial.id());
    BackgroundJob<TrialOutcome> giant = spark ? startSpark(trial, released) : startSort(trial);
    giant.begun().await();
    Thread.sleep(waitSeconds * 1000L);
    List<JobResult> all = new ArrayList<>();
    for (int i = 0; giant.running() && i < jobs; i++) {
      String output = trial.output() + "-small-" + i;
      all.add(small().sort(trial, Map.of(), line -> {}, IN, output));
    }
    long releasedNanos = System.nanoTime();
    if (giant.running() && spark) {
      Files.createFile(released);
    } else if (giant.running()) {
      trial.jobs().cluster().move(Objects.requireNonNull(giant.application().get()), "default");
    }
    TrialOutcome ended = giant.result();
    double endSeconds = (System.nanoTime() - releasedNanos) / 1e9;
    List<Double> seconds = all.stream().map(SmallJobs::seconds).toList();
    Map<String, Double> figures =
        seconds.isEmpty()
            ? Map.of()
            : Map.of(
                FIRST, seconds.get(0),
                LAST, seconds.get(seconds.size() - 1),
                GIANT_END, endSeconds);
    return TrialOutcome.of(all, SmallJobs.median(all), figures)
        .beside(ended)
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
    return (spark || giant().validate(trial))
        && trial.jobs().sorted(IN, trial.output() + "-small-" + (jobs - 1));
  }
}
