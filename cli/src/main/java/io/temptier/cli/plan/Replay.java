// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import io.temptier.tier.FileKind;
import io.temptier.tier.Reserve;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.DemotionSettings;
import io.temptier.tier.policy.FillLimits;
import io.temptier.tier.policy.PlacementRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Writes and deletes the temporary files of past jobs once more, event by event, on the nodes and
 * at the times of their tasks, for several sizes of the fast disk at a time. What a faster disk
 * would save is not counted, so that files lie on it for longer than they will.
 */
final class Replay {
  private static final double DAY_MILLIS = 86_400_000;

  /** Bytes that a map sorts in memory by default before it spills. */
  private static final long PIECE_BYTES = 80L << 20;

  static final class RunningJob {
    private final PastJob job;
    private final long reduces;
    private final List<TempFile> outputs = new ArrayList<>();
    private long fetched;

    /** Time of the last fetch from its outputs; 0 before that. */
    long fetchedMillis;

    RunningJob(PastJob job) {
      this.job = job;
      this.reduces = job.tasks().stream().filter(Replay::fetches).count();
    }

    private void fetched(long millis) {
      fetched++;
      fetchedMillis = millis;
    }

    /** The share of each output's partitions that were fetched, 0 to 1. */
    double fetchedShare() {
      return reduces == 0 ? 0 : (double) fetched / reduces;
    }
  }

  /** A temporary file; each is itself alone. */
  static final class TempFile {
    final RunningJob job;
    final String host;
    final FileKind kind;
    final long bytes;
    final long writtenMillis;

    TempFile(RunningJob job, String host, FileKind kind, long bytes, long writtenMillis) {
      this.job = job;
      this.host = host;
      this.kind = kind;
      this.bytes = bytes;
      this.writtenMillis = writtenMillis;
    }
  }

  private final FillLimits limits;
  private final DemotionSettings demotion;

  /** The smallest first. */
  final List<FastSize> sizes;

  /** Events to come, by the millisecond, in the order in which they were added. */
  private final TreeMap<Long, List<Runnable>> events = new TreeMap<>();

  private final Map<String, Long> bytesByHost = new HashMap<>();

  /** Temporary bytes that lay on one node at a time, at most. */
  long mostBytes;

  /** The first submission, since 1970. */
  long fromMillis;

  long jobs;
  long tasks;
  private long tickets;
  private long nowMillis;

  Replay(Reserve reserve, FillLimits limits, DemotionSettings demotion, List<Long> fastSizes) {
    this.limits = limits;
    this.demotion = demotion;
    this.sizes =
        fastSizes.stream()
            .sorted()
            .distinct()
            .map(bytes -> new FastSize(bytes, reserve, demotion))
            .collect(Immutable.toList());
  }

  /** Runs until a job begins. Jobs come in the order they were submitted, one at a time. */
  void add(PastJob past) {
    fromMillis = jobs == 0 ? past.submitMillis() : fromMillis;
    jobs++;
    tasks += past.tasks().size();
    runUntil(past.submitMillis());
    nowMillis = Math.max(nowMillis, past.submitMillis());
    RunningJob job = new RunningJob(past);
    past.tasks().forEach(task -> start(job, task));
    at(past.endMillis(), () -> job.outputs.forEach(this::delete));
  }

  /** Runs all jobs to their ends. */
  void finish() throws IOException {
    if (jobs == 0) {
      throw new IOException("there is no job in the trace");
    }
    runUntil(Long.MAX_VALUE);
  }

  private void runUntil(long millis) {
    for (Map.Entry<Long, List<Runnable>> next = events.firstEntry();
        next != null && next.getKey() <= millis;
        next = events.firstEntry()) {
      events.remove(next.getKey());
      nowMillis = Math.max(nowMillis, next.getKey());
      next.getValue().forEach(Runnable::run);
    }
  }

  private void at(long millis, Runnable action) {
    events.computeIfAbsent(Math.max(nowMillis, millis), key -> new ArrayList<>()).add(action);
  }

  private static boolean fetches(PastJob.Task task) {
    return task.fetchedMillis() != PastJob.Task.FETCHES_NOTHING;
  }

  /** Starts a task. Files that it deletes when it ends are written evenly over its time. */
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
      at(task.fetchedMillis(), () -> job.fetched(nowMillis));
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
            .of(user.isEmpty() ? null : user, limits);
    for (FastSize size : sizes) {
      size.write(file, request);
      demote(size, host);
    }
    mostBytes = Math.max(mostBytes, bytesByHost.merge(host, bytes, Long::sum));
    return file;
  }

  private void delete(TempFile file) {
    sizes.forEach(size -> size.delete(file));
    bytesByHost.merge(file.host, -file.bytes, Long::sum);
  }

  /** Moves one output after the other until the low mark is reached. */
  private void demote(FastSize size, String host) {
    size.beginMove(host, nowMillis)
        .ifPresent(
            file ->
                at(
                    nowMillis + 1 + file.bytes * 1000 / demotion.bytesPerSecond(),
                    () -> {
                      size.endMove(file);
                      demote(size, host);
                    }));
  }

  /** Returns the number of nodes on which a task wrote. */
  int nodes() {
    return bytesByHost.size();
  }

  /** Returns the days from the first submission to the last end. */
  double days() {
    return Math.max(1, nowMillis - fromMillis) / DAY_MILLIS;
  }

  /** A burst of minutes, spread over a day, says nothing. */
  boolean tooShortForDays() {
    return days() < 0.5;
  }

  /** The smallest size that has room enough. */
  Optional<FastSize> recommended() {
    return sizes.stream().filter(FastSize::hasRoom).findFirst();
  }
}
