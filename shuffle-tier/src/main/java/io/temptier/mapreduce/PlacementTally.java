/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
final class PlacementTally {
  private static final Logger LOG = LoggerFactory.getLogger(PlacementTally.class);

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
