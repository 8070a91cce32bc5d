// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;
import org.apache.spark.util.TaskFailureListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sorted runs that each running task has written to disk, and the size to expect of the next.
 * Spark does not say how large a run will be. A task writes runs of its shuffle one after the
 * other, each of what it has in memory, so the last one tells. For a shuffle of few partitions it
 * opens a file for each before it writes to any.
 *
 * <p>Safe for use by many threads; what is of one task is used by its threads, in turn.
 */
final class TaskSpills {
  private static final Logger LOG = LoggerFactory.getLogger(TaskSpills.class);

  private final Map<Long, OfTask> byAttempt = new ConcurrentHashMap<>();
  private final BiConsumer<Path, Path> complete;

  /**
   * @param complete told of names and places: of runs that are written to their end, and of other
   *     files when their task has ended
   */
  TaskSpills(BiConsumer<Path, Path> complete) {
    this.complete = complete;
  }

  OfTask of(TaskContext task) {
    long attempt = task.taskAttemptId();
    OfTask made = new OfTask(task);
    OfTask known = byAttempt.putIfAbsent(attempt, made);
    if (known != null) {
      return known;
    }
    // Called at once where the task is over: a thread of it may write on.
    task.addTaskFailureListener((TaskFailureListener) (failed, why) -> made.failed = true);
    task.addTaskCompletionListener((TaskCompletionListener) ended -> end(attempt));
    return made;
  }

  /** The run of a task that becomes its output, if it is the only one; else null. */
  @Nullable Path single(TaskContext task) {
    OfTask known = byAttempt.get(task.taskAttemptId());
    return known == null ? null : known.single();
  }

  private void end(long attempt) {
    OfTask known = byAttempt.remove(attempt);
    if (known != null) {
      known.end();
    }
  }

  /** Spark deletes runs of a task that failed by their paths: links only. */
  private static void deleteRun(Path name, Path bytes) {
    try {
      if (String.valueOf(name.getFileName()).startsWith("temp_")
          && Files.notExists(name, LinkOption.NOFOLLOW_LINKS)) {
        Files.deleteIfExists(bytes);
      }
    } catch (IOException e) {
      LOG.debug("{} stays until the executor ends", bytes, e);
    }
  }

  final class OfTask {
    private final TaskContext task;
    private volatile boolean failed;

    /** All that become a part of the task's output, and those of them that may be being written. */
    private final List<Path> merged = new ArrayList<>();

    private final List<Path> open = new ArrayList<>();

    /** Bytes that the task held in memory when it opened the last of these. */
    private long heldBytes;

    /** Runs that do not, the last only. */
    private final List<Path> others = new ArrayList<>();

    /** Names and places of outputs that others write, and of all that has a link. */
    private final Map<Path, Path> named = new LinkedHashMap<>();

    private OfTask(TaskContext task) {
      this.task = task;
    }

    /**
     * Returns the expected size of the next run. Of runs that do not become a part of the task's
     * output nothing is told: each may come from another operator.
     *
     * @param merges whether it becomes a part of it
     * @param unknownBytes what a file is taken to be of which nothing is known; 0 where earlier
     *     tasks tell
     * @return 0 where nothing is known of this task
     */
    synchronized long next(boolean merges, long unknownBytes) {
      if (!merges) {
        // A task spills again when it has written the one before.
        complete(others);
        return 0;
      }
      int opened = open.size();
      long last = opened == 0 ? 0 : open.get(opened - 1).toFile().length();
      if (last > 0) {
        // The task has gone on to the next, maybe with more memory: other tasks ended.
        complete(open);
        double growth = (double) ExpectedSizes.heldBytes(task) / Math.max(1, heldBytes);
        return heldBytes > 0 ? (long) (last * Math.max(1, growth)) : last;
      }
      // A file for each partition: all together little more than one of unknown size.
      return opened == 0 || unknownBytes == 0
          ? 0
          : Math.max(1, unknownBytes / ((opened + 1L) * (opened + 1L)));
    }

    synchronized void add(Path spill, boolean merges) {
      if (merges) {
        heldBytes = ExpectedSizes.heldBytes(task);
        open.add(spill);
        merged.add(spill);
      } else {
        others.add(spill);
      }
    }

    /**
     * Bytes of the task's output: of the runs so far that become a part of it, and of what is still
     * in memory; 0 without such runs.
     */
    synchronized long mergedBytes() {
      // The task reads each of them next: what hangs would hang anyway.
      long written = merged.stream().mapToLong(file -> file.toFile().length()).sum();
      // A file for each partition; runs are opened one by one.
      boolean allWritten = merged.isEmpty() || open.size() > 1;
      return allWritten ? written : written + ExpectedSizes.heldBytes(task);
    }

    private synchronized @Nullable Path single() {
      return merged.size() == 1 ? merged.get(0) : null;
    }

    /**
     * True if the task asks for the name of an output for the first time, and has no sorted run of
     * Spark's own, which become its output.
     */
    synchronized boolean asksFirst(Path name) {
      return merged.isEmpty() && !named.containsKey(name);
    }

    synchronized void add(Path name, Path bytes) {
      named.put(name, bytes);
    }

    private void complete(List<Path> runs) {
      runs.forEach(run -> complete.accept(run, run));
      runs.clear();
    }

    private synchronized void end() {
      complete(open);
      complete(others);
      named.forEach(complete);
      if (failed) {
        named.forEach(TaskSpills::deleteRun);
      }
    }
  }
}
