// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.tier.FileKind;
import io.temptier.tier.Medium;
import io.temptier.tier.journal.PlacementRecord;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.Reason;
import io.temptier.tier.text.Json;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ObjLongConsumer;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;

/**
 * Totals of one application's temporary data on this node so far, in a few hundred bytes however
 * much there was. Files count when they are placed, bytes when a file is complete. Safe for use by
 * many threads.
 */
final class ApplicationTotals {
  /** Version of the lines written from it; readers skip lines of a version they do not know. */
  static final int FORMAT = 1;

  /** Kinds that NodeManager and localizers place, for containers without TempTier too. */
  private static final Set<FileKind> BY_NODE_MANAGER =
      EnumSet.of(FileKind.NM_PRIVATE, FileKind.LOCALIZED_RESOURCE, FileKind.WORK_DIR);

  /** Folder of MapReduce's tasks, and by its kind like a container's. */
  private static final String TASKS_FOLDER = "work";

  /** Sum of what went to a tier, and how much of that because faster tiers refused it. */
  private static final class Sum {
    long files;
    long bytes;
    long filesSpilled;
    long bytesSpilled;
  }

  private final String application;
  private final Map<Medium, Sum> tiers = new EnumMap<>(Medium.class);
  private final Map<Medium, Map<Reason, Sum>> refusals = new EnumMap<>(Medium.class);
  private String user = "";
  private long firstMillis = Long.MAX_VALUE;
  private long lastSeenMillis;
  private long containers;
  private long tasks;
  private boolean placedByTasks;
  private long containersFailed;
  private long filesDemoted;
  private long bytesDemoted;

  ApplicationTotals(String application, long nowMillis) {
    this.application = application;
    this.lastSeenMillis = nowMillis;
  }

  /** Counts a placement, or that a file is complete or was moved. */
  synchronized void add(PlacementRecord record) {
    firstMillis = Math.min(firstMillis, record.timeMillis());
    if (record.event() == PlacementRecord.Event.DEMOTED) {
      demoted(record.bytes());
      return;
    }
    placedByTasks |=
        !BY_NODE_MANAGER.contains(record.request().kind())
            || record.request().path().endsWith(TASKS_FOLDER);
    Sum tier = tiers.computeIfAbsent(record.placement().dir().medium(), key -> new Sum());
    boolean placed = record.event() == PlacementRecord.Event.PLACED;
    long files = placed ? 1 : 0;
    long bytes = placed ? 0 : record.bytes();
    tier.files += files;
    tier.bytes += bytes;
    if (record.placement().spilledDown()) {
      tier.filesSpilled += files;
      tier.bytesSpilled += bytes;
    }
    for (Placement.Refusal refusal : record.placement().refusals()) {
      Sum refused =
          refusals
              .computeIfAbsent(refusal.medium(), key -> new EnumMap<>(Reason.class))
              .computeIfAbsent(refusal.reason(), key -> new Sum());
      refused.files += files;
      refused.bytes += bytes;
    }
  }

  /** Counts a container, which comes twice: how it ended, and that it is over. */
  synchronized void container(ContainerState state, boolean task, long nowMillis) {
    firstMillis = Math.min(firstMillis, nowMillis);
    containers += state == ContainerState.DONE ? 1 : 0;
    containersFailed += state == ContainerState.EXITED_WITH_FAILURE ? 1 : 0;
    tasks += task && state == ContainerState.EXITED_WITH_SUCCESS ? 1 : 0;
  }

  /**
   * Tells how many tasks of MapReduce there were, and whether without TempTier: the first of an
   * application on a node asks Hadoop's allocator for a folder before it does anything else.
   */
  synchronized void count(ObjLongConsumer<TierCounter> counted) {
    counted.accept(TierCounter.MAPREDUCE_TASKS, tasks);
    counted.accept(TierCounter.MAPREDUCE_TASKS_STOCK, placedByTasks ? 0 : tasks);
  }

  synchronized void demoted(long bytes) {
    filesDemoted++;
    bytesDemoted += bytes;
  }

  synchronized void seen(String ofUser, long nowMillis) {
    user = ofUser;
    lastSeenMillis = nowMillis;
  }

  synchronized long lastSeenMillis() {
    return lastSeenMillis;
  }

  /** One line without zeros and newline; {@code running} says that more may come. */
  synchronized String toJson(boolean running) {
    Map<String, Object> fields =
        Json.object(
            "v", FORMAT,
            "app", application,
            "user", user,
            "fromMillis", Math.min(firstMillis, lastSeenMillis),
            "toMillis", lastSeenMillis);
    if (running) {
      fields.put("running", true);
    }
    List<Object> each = new ArrayList<>();
    tiers.forEach((medium, sum) -> each.add(json(Json.object("medium", medium), sum)));
    fields.put("tiers", each);
    List<Object> whys = new ArrayList<>();
    refusals.forEach(
        (medium, byReason) ->
            byReason.forEach(
                (reason, sum) ->
                    whys.add(json(Json.object("medium", medium, "reason", reason), sum))));
    if (!whys.isEmpty()) {
      fields.put("refused", whys);
    }
    putIfMore(fields, "filesDemoted", filesDemoted);
    putIfMore(fields, "bytesDemoted", bytesDemoted);
    putIfMore(fields, "containers", containers);
    putIfMore(fields, "containersFailed", containersFailed);
    return Json.of(fields);
  }

  private static Map<String, Object> json(Map<String, Object> json, Sum sum) {
    putIfMore(json, "files", sum.files);
    putIfMore(json, "bytes", sum.bytes);
    putIfMore(json, "filesSpilled", sum.filesSpilled);
    putIfMore(json, "bytesSpilled", sum.bytesSpilled);
    return json;
  }

  private static void putIfMore(Map<String, Object> json, String name, long value) {
    if (value > 0) {
      json.put(name, value);
    }
  }
}
