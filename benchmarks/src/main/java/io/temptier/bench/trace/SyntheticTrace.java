// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A made-up trace in the shape of published ones: most jobs are small, most bytes are of a few
 * large ones. Numbers of maps follow a bounded Pareto distribution, output a log-normal one,
 * arrivals a Poisson process whose rate swings over the day. The same seed gives the same trace.
 */
public final class SyntheticTrace {
  private static final double PARETO_SHAPE = 0.8;

  /** A map's output by its input: a median of 0.4, and one in six above 1.1. */
  private static final double SELECTIVITY_MEDIAN = 0.4;

  private static final double SELECTIVITY_SIGMA = 1.0;

  /** What reduces write, by what they fetch. */
  private static final double RESULT_SHARE = 0.5;

  private static final long LEAST_TASK_MILLIS = 8_000;

  /** Besides what each task takes at least, what a MiB takes it. */
  private static final double MILLIS_OF_A_MIB = 150;

  /**
   * How large jobs are.
   *
   * @param mostMaps that a job has
   * @param mapsOfAReduce how many maps a job has for each of its reduces
   * @param splitBytes a map's input
   */
  public record Shape(int mostMaps, int mapsOfAReduce, long splitBytes) {
    /** Of a node alone, which is to be through with the largest job in minutes. */
    static final Shape NODE = new Shape(8, 2, 128L << 20);
  }

  private static final double DAY_MILLIS = 86_400_000;

  /** By how much of its mean the rate of arrivals swings. */
  private static final double SWING = 0.4;

  /** The number of the cluster in ids of jobs, which are to have the form of Hadoop's own. */
  private static final int CLUSTER = 1;

  private final Random random;
  private final Shape shape;
  private final long tasks;
  private final double meanGapMillis;
  private long made;
  private long jobs;
  private double nowMillis;

  /**
   * A trace.
   *
   * @param tasks at least so many in all
   * @param containers of the cluster it is for
   * @param utilisation the share of them that is to be busy on average, 0 to 1
   */
  public SyntheticTrace(long seed, Shape shape, long tasks, long containers, double utilisation) {
    this.random = new Random(seed);
    this.shape = shape;
    this.tasks = tasks;
    this.meanGapMillis = meanBusyMillis(seed, shape) / (containers * utilisation);
  }

  /** What a job keeps containers busy for on average, by drawing some. */
  private static double meanBusyMillis(long seed, Shape shape) {
    Random draws = new Random(~seed);
    int drawn = 20_000;
    double busy = 0;
    for (int i = 0; i < drawn; i++) {
      TraceJob job = draw(draws, shape, "", 0);
      for (TraceJob.MapTask map : job.maps()) {
        busy += map.millis();
      }
      for (TraceJob.ReduceTask reduce : job.reduces()) {
        busy += reduce.millis();
      }
    }
    return busy / drawn;
  }

  /** The next job, or null after the last. */
  public @Nullable TraceJob next() {
    if (made >= tasks) {
      return null;
    }
    double rate = 1 + SWING * Math.sin(2 * Math.PI * nowMillis / DAY_MILLIS);
    nowMillis -= Math.log(1 - random.nextDouble()) * meanGapMillis / rate;
    String id = String.format(Locale.ROOT, "job_%d_%04d", CLUSTER, ++jobs);
    TraceJob job = draw(random, shape, id, (long) nowMillis);
    made += job.tasks();
    return job;
  }

  private static TraceJob draw(Random random, Shape shape, String id, long submitMillis) {
    int count = pareto(random, shape.mostMaps());
    double selectivity = SELECTIVITY_MEDIAN * Math.exp(SELECTIVITY_SIGMA * random.nextGaussian());
    List<TraceJob.MapTask> maps = new ArrayList<>(count);
    long output = 0;
    for (int i = 0; i < count; i++) {
      // Inputs are whole splits, but for the last of a file.
      long split = shape.splitBytes();
      long input = count == 1 ? (long) (split * random.nextDouble()) : split;
      long bytes = (long) (input * selectivity * (0.9 + 0.2 * random.nextDouble()));
      maps.add(new TraceJob.MapTask(millis(input + bytes), input, bytes, 0));
      output += bytes;
    }
    int reducers = (count + shape.mapsOfAReduce() - 1) / shape.mapsOfAReduce();
    List<TraceJob.ReduceTask> reduces = new ArrayList<>(reducers);
    for (int i = 0; i < reducers; i++) {
      long bytes = output / reducers + (i < output % reducers ? 1 : 0);
      reduces.add(new TraceJob.ReduceTask(millis(2 * bytes), bytes, (long) (bytes * RESULT_SHARE)));
    }
    return new TraceJob(id, submitMillis, maps, reduces);
  }

  private static int pareto(Random random, int most) {
    double ratio = Math.pow(1.0 / most, PARETO_SHAPE);
    double u = random.nextDouble();
    return (int) Math.floor(Math.pow(1 - u * (1 - ratio), -1 / PARETO_SHAPE));
  }

  /** How long a task takes that moves so many bytes. */
  private static long millis(long bytes) {
    return LEAST_TASK_MILLIS + (long) (bytes / (double) (1 << 20) * MILLIS_OF_A_MIB);
  }
}
