// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import io.temptier.tier.lang.Immutable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;

/**
 * The sorted runs that each running task has written to disk, and the size to expect of the next.
 * Spark does not say how large a run will be. A task writes runs of its shuffle one after the
 * other, each of what it has in memory, so the last one tells. For a shuffle of few partitions it
 * opens a file for each before it writes to any.
 *
 * <p>Safe for use by many threads; what is of one task is used by its threads, in turn.
 */
final class TaskSpills {
  /** Of one attempt. */
  private static final class Spills {
    /** All that become a part of the task's output, and those of them that may be being written. */
    final List<Path> merged = new ArrayList<>();

    final List<Path> open = new ArrayList<>();

    /** What the task held in memory when it opened the last of these. */
    long heldBytes;

    /** Of those that do not, the last. */
    final List<Path> others = new ArrayList<>();

    final Map<Path, Path> outputs = new LinkedHashMap<>();
  }

  private final Map<Long, Spills> byAttempt = new ConcurrentHashMap<>();
  private final Consumer<Path> complete;
  private final BiConsumer<Path, Path> completeOutput;

  /**
   * Knows of none.
   *
   * @param complete told of runs that are written to their end
   * @param completeOutput told of the names and places of outputs when their task has ended
   */
  TaskSpills(Consumer<Path> complete, BiConsumer<Path, Path> completeOutput) {
    this.complete = complete;
    this.completeOutput = completeOutput;
  }

  /**
   * How large the next run will be. Of runs that do not become a part of the task's output nothing
   * is told: each may come from another operator.
   *
   * @param merges whether it becomes a part of it
   * @param unknownBytes what a file is taken to be of which nothing is known; 0 where earlier tasks
   *     tell
   * @return 0 where nothing is known of this task
   */
  long next(TaskContext task, boolean merges, long unknownBytes) {
    Spills spills = of(task);
    synchronized (spills) {
      if (!merges) {
        // A task spills again when it has written the one before.
        spills.others.forEach(complete);
        spills.others.clear();
        return 0;
      }
      int opened = spills.open.size();
      long last = opened == 0 ? 0 : spills.open.get(opened - 1).toFile().length();
      if (last > 0) {
        // The task has gone on to the next, maybe with more memory: other tasks ended.
        spills.open.forEach(complete);
        spills.open.clear();
        double growth = (double) ExpectedSizes.heldBytes(task) / Math.max(1, spills.heldBytes);
        return spills.heldBytes > 0 ? (long) (last * Math.max(1, growth)) : last;
      }
      // A file for each partition: all together little more than one of unknown size.
      return opened == 0 || unknownBytes == 0
          ? 0
          : Math.max(1, unknownBytes / ((opened + 1L) * (opened + 1L)));
    }
  }

  /**
   * Takes note of a run.
   *
   * @param merges whether it becomes a part of the task's output
   */
  void add(TaskContext task, Path spill, boolean merges) {
    Spills spills = of(task);
    long held = ExpectedSizes.heldBytes(task);
    synchronized (spills) {
      if (merges) {
        spills.heldBytes = held;
        spills.open.add(spill);
        spills.merged.add(spill);
      } else {
        spills.others.add(spill);
      }
    }
  }

  /**
   * Bytes of the task's output: of the runs so far that become a part of it, and of what is still
   * in memory; 0 without such runs.
   */
  long mergedBytes(TaskContext task) {
    Spills spills = of(task);
    List<Path> files;
    boolean allWritten;
    synchronized (spills) {
      files = Immutable.copyOf(spills.merged);
      // A file for each partition; runs are opened one by one.
      allWritten = files.isEmpty() || spills.open.size() > 1;
    }
    // The task reads each of them next: to look costs it little, and what hangs would hang anyway.
    long written = files.stream().mapToLong(file -> file.toFile().length()).sum();
    return allWritten ? written : written + ExpectedSizes.heldBytes(task);
  }

  /** The run of a task that becomes a part of its output, if there is one only; else null. */
  @Nullable Path single(TaskContext task) {
    Spills spills = byAttempt.get(task.taskAttemptId());
    if (spills == null) {
      return null;
    }
    synchronized (spills) {
      return spills.merged.size() == 1 ? spills.merged.get(0) : null;
    }
  }

  /**
   * Whether a task asks for the name of an output for the first time, and has no sorted run of
   * Spark's own, which become its output.
   */
  boolean asksFirst(TaskContext task, Path name) {
    Spills spills = of(task);
    synchronized (spills) {
      return spills.merged.isEmpty() && !spills.outputs.containsKey(name);
    }
  }

  /** Takes note of where an output is to lie. */
  void addOutput(TaskContext task, Path name, Path bytes) {
    Spills spills = of(task);
    synchronized (spills) {
      spills.outputs.put(name, bytes);
    }
  }

  private Spills of(TaskContext task) {
    return byAttempt.computeIfAbsent(
        task.taskAttemptId(),
        attempt -> {
          task.addTaskCompletionListener((TaskCompletionListener) ended -> end(attempt));
          return new Spills();
        });
  }

  private void end(long attempt) {
    Spills spills = byAttempt.remove(attempt);
    if (spills != null) {
      synchronized (spills) {
        spills.open.forEach(complete);
        spills.others.forEach(complete);
        spills.outputs.forEach(completeOutput);
      }
    }
  }
}
