// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import java.util.List;

/** A job as its history tells it: where and when its tasks ran, and what they wrote there. */
@AutoValue
abstract class PastJob {
  abstract String id();

  /** Milliseconds since 1970, as all times. */
  abstract long submitMillis();

  /** Empty where nobody knows. */
  abstract String user();

  abstract List<Task> tasks();

  static PastJob of(String id, long submitMillis, String user, List<Task> tasks) {
    return new AutoValue_PastJob(id, submitMillis, user, Immutable.copyOf(tasks));
  }

  /** Returns the end of its last task: its outputs are deleted then. */
  long endMillis() {
    return tasks().stream().mapToLong(Task::finishMillis).max().orElse(submitMillis());
  }

  /** The attempt of a task that succeeded. */
  @AutoValue
  abstract static class Task {
    /** Time of a task that fetches nothing. */
    static final long FETCHES_NOTHING = 0;

    abstract String host();

    abstract long startMillis();

    abstract long finishMillis();

    /** Bytes of output on the node's disks, which stay until the job's end. */
    abstract long outputBytes();

    /** Written to the node's disks besides, and deleted when it ends: spills and merges. */
    abstract long scratchBytes();

    /** Time when a reduce had fetched all its parts; {@link #FETCHES_NOTHING} of other tasks. */
    abstract long fetchedMillis();

    static Task of(
        String host,
        long startMillis,
        long finishMillis,
        long outputBytes,
        long scratchBytes,
        long fetchedMillis) {
      return new AutoValue_PastJob_Task(
          host, startMillis, finishMillis, outputBytes, scratchBytes, fetchedMillis);
    }
  }
}
