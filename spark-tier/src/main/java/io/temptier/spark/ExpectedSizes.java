// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import io.temptier.tier.lang.BoundedMap;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.PlacementRequest;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;

/**
 * Expected size of a file whose size Spark does not name: what alike files of its stage became.
 * That is what nine of ten of the last {@link #SAMPLES} of its group did not exceed, files of one
 * kind that alike tasks write; a file that becomes larger claims more while it grows. While that is
 * not known, no less than the memory that its task holds: a task spills because its memory is used
 * up, and then all tasks of a node may write all they have at once.
 *
 * <p>Safe for use by many threads; does no I/O.
 */
final class ExpectedSizes implements PlacementListener {
  private static final Pattern KIND = Pattern.compile("temp_(shuffle|local)|[a-z]+");
  private static final int SAMPLES = 32;

  /** The first files to end are often the small ones. */
  private static final int LEAST_SAMPLES = 3;

  private static final double QUANTILE = 0.9;

  /** More groups are not written at a time. */
  private static final int MOST_GROUPS = 256;

  private final long mostBytes;
  private final Map<Long, String> writing = new ConcurrentHashMap<>();

  /** The last sizes of each group; the one used longest ago comes first. Guarded by itself. */
  private final Map<String, ArrayDeque<Long>> groups = new BoundedMap<>(MOST_GROUPS);

  /** Knows nothing yet; will expect at most {@code mostBytes} of a file. */
  ExpectedSizes(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** True if enough files like this one of the running task were completed. */
  boolean learned(String name) {
    String group = group(name);
    return group != null && expected(group) > 0;
  }

  /**
   * A request for a file that is about to be placed, with the size to expect where the request has
   * none. What settles or refuses it is to follow.
   */
  PlacementRequest of(PlacementRequest asked, String name) {
    String group = asked.kind().isSmall() ? null : group(name);
    if (group == null) {
      return asked;
    }
    writing(asked, group);
    if (asked.sizeKnown()) {
      return asked;
    }
    long expected = expected(group);
    // Sorted runs and outputs hold what was in a task's memory.
    if (expected == 0 && (group.endsWith("shuffle") || group.endsWith("temp_local"))) {
      expected = Math.max(asked.bytes(), heldBytes(TaskContext.get()));
    }
    return expected > 0 ? asked.expecting(expected) : asked;
  }

  /** Returns the bytes to expect of the next file of a group; 0 while too little is known. */
  long expected(String group) {
    synchronized (groups) {
      ArrayDeque<Long> last = groups.get(group);
      if (last == null || last.size() < LEAST_SAMPLES) {
        return 0;
      }
      long[] sorted = last.stream().mapToLong(Long::longValue).sorted().toArray();
      return Math.min(mostBytes, sorted[(int) Math.ceil(sorted.length * QUANTILE) - 1]);
    }
  }

  void writing(PlacementRequest request, String group) {
    writing.put(request.ticket(), group);
  }

  void refused(PlacementRequest request) {
    writing.remove(request.ticket());
  }

  /** The file of a request is complete. An empty one tells nothing: its writer may have failed. */
  @Override
  public void settled(PlacementRequest request, Placement placement, long bytes) {
    String group = writing.remove(request.ticket());
    if (group != null && bytes > 0) {
      synchronized (groups) {
        ArrayDeque<Long> last = groups.computeIfAbsent(group, key -> new ArrayDeque<>());
        last.add(bytes);
        if (last.size() > SAMPLES) {
          last.remove();
        }
      }
    }
  }

  /** Memory that a task holds for its data, in bytes: more than it writes out at once. */
  static long heldBytes(TaskContext task) {
    return task.taskMemoryManager().getMemoryConsumptionForThisTask();
  }

  /** The running task's stage and the kind of a file; null where no task runs. */
  private static @Nullable String group(String name) {
    TaskContext task = TaskContext.get();
    Matcher kind = KIND.matcher(name);
    return task == null || !kind.lookingAt() ? null : task.stageId() + " " + kind.group();
  }
}
