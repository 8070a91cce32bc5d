// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import io.temptier.tier.placer.LearnedSizes;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.PlacementRequest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;

/**
 * What to expect of a file whose size Spark does not name: what alike files of its stage became.
 * While that is not known, no less than the memory that its task holds: a task spills because its
 * memory is used up, and then all tasks of a node may write all they have at once.
 *
 * <p>Safe for use by many threads.
 */
final class ExpectedSizes {
  /** What the names of files of a kind begin with. */
  private static final Pattern KIND = Pattern.compile("temp_(shuffle|local)|[a-z]+");

  private final LearnedSizes sizes;

  /** Expects at most {@code mostBytes} of a file. */
  ExpectedSizes(long mostBytes) {
    sizes = new LearnedSizes(mostBytes);
  }

  /** To be told what is settled. */
  PlacementListener learner() {
    return sizes;
  }

  /** Whether enough files like this one of the running task were completed. */
  boolean learned(String name) {
    String group = group(name);
    return group != null && sizes.expected(group) > 0;
  }

  /** A request for a file with the size to expect, where the request has none. */
  PlacementRequest of(PlacementRequest asked, String name) {
    String group = asked.sizeKnown() || asked.kind().isSmall() ? null : group(name);
    if (group == null) {
      return asked;
    }
    long expected = sizes.expected(group);
    // Sorted runs and outputs hold what was in a task's memory.
    if (expected == 0 && (group.endsWith("shuffle") || group.endsWith("temp_local"))) {
      expected = Math.max(asked.bytes(), heldBytes(TaskContext.get()));
    }
    return expected > 0 ? asked.expecting(expected) : asked;
  }

  /** A file was placed by this request; what settles it is to follow. */
  void placed(PlacementRequest request, String name) {
    String group = request.kind().isSmall() ? null : group(name);
    if (group != null) {
      sizes.placed(request, group);
    }
  }

  /** Memory that a task holds for its data, in bytes: more than it writes out at once. */
  static long heldBytes(TaskContext task) {
    return task.taskMemoryManager().getMemoryConsumptionForThisTask();
  }

  /** Files of the running task's stage and of a kind; null where no task runs. */
  private static @Nullable String group(String name) {
    TaskContext task = TaskContext.get();
    Matcher kind = KIND.matcher(name);
    return task == null || !kind.lookingAt() ? null : task.stageId() + " " + kind.group();
  }
}
