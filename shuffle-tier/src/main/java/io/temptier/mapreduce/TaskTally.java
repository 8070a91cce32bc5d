// SPDX-License-Identifier: Apache-2.0
package io.temptier.mapreduce;

import io.temptier.tier.Medium;
import io.temptier.tier.Placement;
import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.counters.LimitExceededException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Adds up one task's placements for the job's counters. Safe for use by many threads. */
final class TaskTally {
  private static final Logger LOG = LoggerFactory.getLogger(TaskTally.class);

  private final Map<Medium, Sum> byMedium = new EnumMap<>(Medium.class);
  private final Sum spilledDown = new Sum();

  /** Counts one file of {@code bytes}. */
  synchronized void add(Placement placement, long bytes) {
    byMedium.computeIfAbsent(placement.dir().medium(), medium -> new Sum()).add(bytes);
    if (placement.spilledDown()) {
      spilledDown.add(bytes);
    }
  }

  /**
   * Hands what was counted to the job, and starts again from zero. Media without files get no
   * counter: jobs may have but 120 ({@code mapreduce.job.counters.max}). A job that has used them
   * up goes without ours.
   */
  synchronized void reportTo(Reporter reporter) {
    try {
      byMedium.forEach(
          (medium, sum) -> {
            reporter.incrCounter(TaskCounters.GROUP, TaskCounters.files(medium), sum.files);
            reporter.incrCounter(TaskCounters.GROUP, TaskCounters.bytes(medium), sum.bytes);
          });
      if (spilledDown.files > 0) {
        reporter.incrCounter(
            TaskCounters.GROUP, TaskCounters.SPILLED_DOWN_FILES, spilledDown.files);
        reporter.incrCounter(
            TaskCounters.GROUP, TaskCounters.SPILLED_DOWN_BYTES, spilledDown.bytes);
      }
    } catch (LimitExceededException e) {
      LOG.warn(
          "TempTier's job counters are left out of this task: {}. Raise mapreduce.job.counters.max"
              + " to have them.",
          e.getMessage());
    }
    byMedium.clear();
    spilledDown.clear();
  }

  private static final class Sum {
    private long files;
    private long bytes;

    void add(long fileBytes) {
      files++;
      bytes += fileBytes;
    }

    void clear() {
      files = 0;
      bytes = 0;
    }
  }
}
