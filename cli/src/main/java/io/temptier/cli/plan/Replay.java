// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import com.google.auto.value.AutoValue;
import io.temptier.tier.FileKind;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.policy.PlacementRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes and deletes the temporary files of past jobs once more, event by event, on the nodes and
 * at the times of their tasks, for several sizes of the fast disk at a time. What a faster disk
 * would save is not counted, so that files lie on it for longer than they will.
 */
final class Replay {
  private static final double DAY_MILLIS = 86_400_000;

  /** What a map sorts in memory by default before it spills. */
  private static final long PIECE_BYTES = 80L << 20;

  /** A job none or some of whose tasks have ended. */
  static final class RunningJob {
    private final PastJob job;
    private final long reduces;
    private final List<TempFile> outputs = new ArrayList<>();
    private long fetched;

    RunningJob(PastJob job) {
      this.job = job;
      this.reduces = job.tasks().stream().filter(Replay::fetches).count();
    }

    /** The share of each output's partitions that were fetched, 0 to 1. */
    double fetchedShare() {
      return reduces == 0 ? 0 : (double) fetched / reduces;
    }
  }

  /**
   * Jobs in the order they were submitted, one at a time, so that a long history fits in memory.
   */
  @FunctionalInterface
  interface Jobs {
    /** The next job, or null after the last. */
    @Nullable PastJob next();
  }

  @AutoValue
  abstract static class Event {
    abstract long atMillis();

    abstract long number();

    abstract Runnable action();

    static Event of(long atMillis, long number, Runnable action) {
      return new AutoValue_Replay_Event(atMillis, number, action);
    }
  }

  private final FastDisk.Rules rules;
  private final List<FastSize> sizes;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingLong(Event::atMillis).thenComparingLong(Event::number));
  private final Map<String, Long> bytesByHost = new HashMap<>();
  private long mostBytes;
  private long numbers;
  private long tickets;
  private long nowMillis;
  private long jobs;
  private long tasks;

  Replay(FastDisk.Rules rules, List<Long> fastSizes) {
    this.rules = rules;
    this.sizes =
        fastSizes.stream()
            .sorted()
            .distinct()
            .map(bytes -> new FastSize(bytes, rules))
            .collect(Immutable.toList());
  }

  /** Runs all jobs to their ends; {@code progress} is told how many ended, now and then. */
  PlanResult run(Jobs all, LongConsumer progress) throws IOException {
    PastJob job = all.next();
    if (job == null) {
      throw new IOException("there is no job in the trace");
    }
    long beganMillis = job.submitMillis();
    for (; job != null; job = all.next()) {
      runUntil(job.submitMillis());
      start(job);
      progress.accept(jobs);
    }
    runUntil(Long.MAX_VALUE);
    double days = Math.max(1, nowMillis - beganMillis) / DAY_MILLIS;
    return PlanResult.of(sizes, jobs, tasks, bytesByHost.size(), beganMillis, days, mostBytes);
  }

  private void runUntil(long millis) {
    while (!events.isEmpty() && events.element().atMillis() <= millis) {
      Event event = events.remove();
      nowMillis = Math.max(nowMillis, event.atMillis());
      event.action().run();
    }
  }

  private void at(long millis, Runnable action) {
    events.add(Event.of(Math.max(nowMillis, millis), numbers++, action));
  }

  private void start(PastJob past) {
    nowMillis = Math.max(nowMillis, past.submitMillis());
    RunningJob job = new RunningJob(past);
    past.tasks().forEach(task -> start(job, task));
    at(
        past.endMillis(),
        () -> {
          job.outputs.forEach(this::delete);
          jobs++;
          tasks += past.tasks().size();
        });
  }

  private static boolean fetches(PastJob.Task task) {
    return task.fetchedMillis() != PastJob.Task.FETCHES_NOTHING;
  }

  /** What it deletes when it ends is written evenly over its time. */
  private void start(RunningJob job, PastJob.Task task) {
    List<TempFile> scratch = new ArrayList<>();
    FileKind kind = fetches(task) ? FileKind.MERGE : FileKind.SPILL;
    long pieces = (task.scratchBytes() + PIECE_BYTES - 1) / PIECE_BYTES;
    long millis = Math.max(0, task.finishMillis() - task.startMillis());
    for (long piece = 1; piece <= pieces; piece++) {
      at(
          task.startMillis() + millis * piece / (pieces + 1),
          () -> scratch.add(write(job, task.host(), kind, task.scratchBytes() / pieces)));
    }
    if (fetches(task)) {
      at(task.fetchedMillis(), () -> job.fetched++);
    }
    at(
        task.finishMillis(),
        () -> {
          if (task.outputBytes() > 0) {
            job.outputs.add(write(job, task.host(), FileKind.MAP_OUTPUT, task.outputBytes()));
          }
          scratch.forEach(this::delete);
        });
  }

  private TempFile write(RunningJob job, String host, FileKind kind, long bytes) {
    TempFile file = new TempFile(job, host, kind, bytes, nowMillis);
    String user = job.job.user();
    PlacementRequest request =
        PlacementRequest.of("", kind, bytes, true, job.job.id(), tickets++)
            .of(user.isEmpty() ? null : user, rules.settings().limits());
    for (FastSize size : sizes) {
      size.write(file, request);
      demote(size, host);
    }
    mostBytes = Math.max(mostBytes, bytesByHost.merge(host, bytes, Long::sum));
    return file;
  }

  private void delete(TempFile file) {
    sizes.forEach(size -> size.disk(file.host).remove(file));
    bytesByHost.merge(file.host, -file.bytes, Long::sum);
  }

  /** Moves one output after the other until the low mark is reached. */
  private void demote(FastSize size, String host) {
    FastDisk disk = size.disk(host);
    disk.beginMove()
        .ifPresent(
            file ->
                at(
                    nowMillis + 1 + file.bytes * 1000 / rules.demotion().bytesPerSecond(),
                    () -> {
                      size.demoted(disk.endMove(file) ? file.bytes : 0);
                      demote(size, host);
                    }));
  }
}
