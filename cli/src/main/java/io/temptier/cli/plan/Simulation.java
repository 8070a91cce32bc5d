// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import com.google.auto.value.AutoValue;
import io.temptier.cli.plan.SimulationResult.SizeResult;
import io.temptier.tier.FileKind;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.LongConsumer;
import org.HdrHistogram.Histogram;

/**
 * Runs a trace on a modelled cluster, event by event. Tasks take as long as they did in the trace:
 * what a faster disk would save is not counted, so that the fast disk has to hold files for longer
 * than it will. Jobs get containers in the order they were submitted; reduces begin when all maps
 * of their job are done.
 */
final class Simulation implements TempFiles.Time {
  private static final long MINUTE_MILLIS = 60_000;
  private static final double DAY_MILLIS = 86_400_000;

  /** The share of a reduce task that is spent fetching. */
  private static final double FETCH_SHARE = 0.5;

  /** What a reduce merges to disk at a time, of its memory: Hadoop's default. */
  private static final double MERGE_SHARE = 0.66;

  private static final int DIGITS = 3;

  @AutoValue
  abstract static class Event {
    abstract long atMillis();

    abstract long number();

    abstract Runnable action();

    static Event of(long atMillis, long number, Runnable action) {
      return new AutoValue_Simulation_Event(atMillis, number, action);
    }
  }

  /** The free containers of a cluster, handed out in random order: tasks spread over all nodes. */
  private static final class Containers {
    private final int[] free;
    private final Random random;
    private int count;

    /** Of every node {@code each}, all of them free. */
    Containers(int nodes, int each, Random random) {
      this.free = new int[Math.multiplyExact(nodes, each)];
      this.random = random;
      for (int i = 0; i < free.length; i++) {
        free[i] = i % nodes;
      }
      this.count = free.length;
    }

    boolean anyFree() {
      return count > 0;
    }

    /** Takes one; the number of its node. */
    int take() {
      int drawn = random.nextInt(count);
      int node = free[drawn];
      free[drawn] = free[--count];
      return node;
    }

    void giveBack(int node) {
      free[count++] = node;
    }
  }

  private final ClusterModel model;
  private final LongConsumer progress;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingLong(Event::atMillis).thenComparingLong(Event::number));
  private final Deque<RunningJob> waiting = new ArrayDeque<>();
  private final List<Node> nodes = new ArrayList<>();
  private final Containers containers;
  private final TempFiles files;
  private final Histogram nodeBytes = new Histogram(DIGITS);
  private final long[] whollyFast;
  private long numbers;
  private long nowMillis;
  private long jobs;
  private long tasks;

  /**
   * The seed says which node a task gets; {@code progress} is told how many jobs ended, now and
   * then.
   */
  Simulation(ClusterModel model, long seed, LongConsumer progress) {
    this.model = model;
    this.progress = progress;
    for (int i = 0; i < model.nodes(); i++) {
      nodes.add(new Node(model));
    }
    this.containers = new Containers(model.nodes(), model.containers(), new Random(seed));
    this.files = new TempFiles(model, this);
    this.whollyFast = new long[model.fastSizes().size()];
  }

  /** Runs it to the end of the last job. */
  SimulationResult run(Trace trace) throws IOException {
    TraceJob next = trace.next();
    if (next == null) {
      throw new IOException("there is no job in the trace");
    }
    long beganMillis = next.submitMillis();
    nowMillis = beganMillis;
    long sampleMillis = beganMillis + MINUTE_MILLIS;
    while (next != null || !events.isEmpty()) {
      long eventMillis = events.isEmpty() ? Long.MAX_VALUE : events.element().atMillis();
      long submitMillis = next == null ? Long.MAX_VALUE : next.submitMillis();
      long atMillis = Math.min(eventMillis, submitMillis);
      for (; sampleMillis <= atMillis; sampleMillis += MINUTE_MILLIS) {
        sample();
      }
      nowMillis = Math.max(nowMillis, atMillis);
      if (next != null && submitMillis <= eventMillis) {
        submit(next);
        next = trace.next();
      } else {
        events.remove().action().run();
      }
    }
    sample();
    return result(beganMillis, (nowMillis - beganMillis) / DAY_MILLIS);
  }

  @Override
  public long nowMillis() {
    return nowMillis;
  }

  @Override
  public void in(long millis, Runnable action) {
    events.add(Event.of(nowMillis + millis, numbers++, action));
  }

  private void sample() {
    nodes.forEach(node -> nodeBytes.recordValue(node.tempBytes() >> 10));
  }

  private void submit(TraceJob job) {
    RunningJob running = new RunningJob(job);
    if (job.tasks() == 0) {
      end(running);
      return;
    }
    queue(running);
    job.maps().stream()
        .mapToLong(TraceJob.MapTask::notBeforeMillis)
        .filter(millis -> millis > 0)
        .distinct()
        .forEach(millis -> in(millis, () -> queue(running)));
  }

  private void queue(RunningJob job) {
    waiting.add(job);
    assign();
  }

  /** Gives free containers to the jobs that wait, the first submitted first. */
  private void assign() {
    while (containers.anyFree() && !waiting.isEmpty()) {
      RunningJob job = waiting.peek();
      if (job.hasMap(nowMillis)) {
        startMap(job, containers.take());
      } else if (job.hasReduce()) {
        startReduce(job, containers.take());
      } else {
        waiting.remove();
      }
    }
  }

  private void startMap(RunningJob job, int number) {
    TraceJob.MapTask task = job.startMap();
    Node node = nodes.get(number);
    long bytes = task.outputBytes();
    List<TempFiles.TempFile> spills = new ArrayList<>();
    long spilled = task.spilledBytes();
    if (spilled == TraceJob.MapTask.BY_SORT) {
      // A single spill becomes the output.
      spilled = bytes > model.sortBytes() ? bytes : 0;
    }
    long pieces = (spilled + model.sortBytes() - 1) / model.sortBytes();
    for (long piece = 1; piece <= pieces; piece++) {
      long each = spilled / pieces;
      in(
          task.millis() * piece / (pieces + 1),
          () -> spills.add(files.write(job, node, FileKind.SPILL, each)));
    }
    in(
        task.millis(),
        () -> {
          if (bytes > 0) {
            TempFiles.TempFile unused = files.write(job, node, FileKind.MAP_OUTPUT, bytes);
          }
          spills.forEach(files::delete);
          containers.giveBack(number);
          if (job.mapDone() && job.hasReduce()) {
            waiting.add(job);
          }
          taskDone(job);
        });
  }

  private void startReduce(RunningJob job, int number) {
    TraceJob.ReduceTask task = job.startReduce();
    Node node = nodes.get(number);
    List<TempFiles.TempFile> merged = new ArrayList<>();
    long fetchMillis = (long) (task.millis() * FETCH_SHARE);
    long bytes = task.inputBytes();
    if (bytes > model.reduceBytes()) {
      long most = Math.max(1, (long) (model.reduceBytes() * MERGE_SHARE));
      long pieces = (bytes + most - 1) / most;
      for (long piece = 1; piece <= pieces; piece++) {
        in(
            fetchMillis * piece / (pieces + 1),
            () -> merged.add(files.write(job, node, FileKind.MERGE, bytes / pieces)));
      }
    }
    in(fetchMillis, job::reduceFetched);
    in(
        task.millis(),
        () -> {
          merged.forEach(files::delete);
          containers.giveBack(number);
          job.reduceDone();
          taskDone(job);
        });
  }

  private void taskDone(RunningJob job) {
    tasks++;
    if (job.done()) {
      job.outputs().forEach(files::delete);
      end(job);
    }
    assign();
  }

  private void end(RunningJob job) {
    jobs++;
    for (int size = 0; size < whollyFast.length; size++) {
      whollyFast[size] += job.spilledIn(size) ? 0 : 1;
    }
    progress.accept(jobs);
  }

  private SimulationResult result(long beganMillis, double days) {
    List<SizeResult> sizes = new ArrayList<>();
    for (int size = 0; size < whollyFast.length; size++) {
      sizes.add(
          SizeResult.of(
              model.fastSizes().get(size),
              files.placedBytes(size),
              files.spilledBytes(size),
              files.demotedBytes(size),
              jobs,
              whollyFast[size],
              days,
              model.nodes()));
    }
    return SimulationResult.of(
        sizes,
        jobs,
        tasks,
        beganMillis,
        days,
        SimulationResult.NodeBytes.of(
            percentile(50), percentile(95), percentile(99), percentile(100)));
  }

  private long percentile(double percent) {
    return nodeBytes.getValueAtPercentile(percent) << 10;
  }
}
