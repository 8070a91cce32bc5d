// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.tier.journal.HistoryFile;
import io.temptier.tier.journal.PlacementRecord;
import io.temptier.tier.os.PeriodicDaemon;
import io.temptier.tier.os.Threads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;

/**
 * Totals of each application's temporary data on this node. Totals of those that run are in memory;
 * when one has left the node, a line for it goes to a {@link HistoryFile}. After a restart with
 * recovery the totals come again from the tasks' journals, which live as long as their
 * applications; only what the earlier NodeManager itself placed for them is missing then.
 *
 * <p>Safe for use by many threads. Nobody waits for a disk but the history's own thread.
 */
final class NodeHistory implements TempTierHistoryMXBean, AutoCloseable {
  /** Ended applications that JMX shows: some sixty kilobytes. */
  static final int MOST_RECENT = 200;

  /** More do not run on a node. */
  static final int MOST_RUNNING = 10_000;

  /** The last lines of an application's journals are read a moment after it has left. */
  static final Duration AFTERMATH = Duration.ofSeconds(10);

  private static final Duration PERIOD = Duration.ofSeconds(5);
  private static final Duration LAST_LINES = Duration.ofSeconds(2);

  private final HistoryFile ended;
  private final Supplier<Map<String, String>> usersByApplication;
  private final ObjLongConsumer<TierCounter> counted;
  private final boolean outlived;
  private final LongSupplier clockMillis;
  private final PeriodicDaemon daemon;
  private final Map<String, ApplicationTotals> running = new ConcurrentHashMap<>();

  /**
   * A history that is written to the slowest folder that takes it: it has room, and is not lost
   * with the machine's memory.
   *
   * @param folders the private folder of each root, fastest first
   * @param usable whether a folder may be read or written at the time
   * @param usersByApplication those on the node
   * @param counted is given what became of the tasks of an application that has left
   * @param outlived whether applications go on when the NodeManager stops
   */
  NodeHistory(
      List<Path> folders,
      Predicate<Path> usable,
      Supplier<Map<String, String>> usersByApplication,
      ObjLongConsumer<TierCounter> counted,
      boolean outlived,
      LongSupplier clockMillis) {
    List<Path> slowestFirst = new ArrayList<>(folders);
    Collections.reverse(slowestFirst);
    this.ended = new HistoryFile(slowestFirst, usable, MOST_RECENT);
    this.usersByApplication = usersByApplication;
    this.counted = counted;
    this.outlived = outlived;
    this.clockMillis = clockMillis;
    this.daemon = new PeriodicDaemon("TempTier history", () -> PERIOD, this::round);
  }

  public void start() {
    daemon.start();
  }

  /** Counts what a task of an application placed, or the NodeManager for it. */
  public void accept(PlacementRecord record) {
    String application = record.request().application();
    // The NodeManager's own files settle after their application has left, when they are gone.
    boolean tellsNothing = record.event() == PlacementRecord.Event.SETTLED && record.bytes() == 0;
    if (application != null && !(tellsNothing && !running.containsKey(application))) {
      update(application, totals -> totals.add(record));
    }
  }

  /** Counts a container that is over, and how it had ended. Never blocks. */
  public void container(String application, ContainerState state, boolean task) {
    update(application, totals -> totals.container(state, task, clockMillis.getAsLong()));
  }

  /** Counts a file that this NodeManager moved to a slower tier. Never blocks. */
  public void demoted(String application, long bytes) {
    update(application, totals -> totals.demoted(bytes));
  }

  private void update(String application, Consumer<ApplicationTotals> change) {
    running.compute(
        application,
        (id, known) -> {
          if (known == null && running.size() >= MOST_RUNNING) {
            return null;
          }
          ApplicationTotals totals =
              known == null ? new ApplicationTotals(id, clockMillis.getAsLong()) : known;
          change.accept(totals);
          return totals;
        });
  }

  /** Writes down the applications that have left the node. May take as long as the disk does. */
  synchronized void round() {
    ended.load();
    Map<String, String> present = usersByApplication.get();
    long now = clockMillis.getAsLong();
    for (String application : running.keySet()) {
      running.computeIfPresent(
          application,
          (id, totals) -> {
            String user = present.get(id);
            if (user != null) {
              totals.seen(user, now);
              return totals;
            }
            if (Math.abs(now - totals.lastSeenMillis()) < AFTERMATH.toMillis()) {
              return totals;
            }
            ended.add(totals.toJson(false));
            totals.count(counted);
            return null;
          });
    }
    ended.write(now);
  }

  @Override
  public String getApplications() {
    List<String> all = new ArrayList<>();
    running.values().forEach(totals -> all.add(totals.toJson(true)));
    all.addAll(ended.recent());
    return "[" + String.join(",", all) + "]";
  }

  /** Ends it; what runs is written down unless it outlives the NodeManager. */
  @Override
  public void close() {
    daemon.close();
    Threads.endWithin(LAST_LINES, "TempTier history", this::writeLast);
  }

  private synchronized void writeLast() {
    long now = clockMillis.getAsLong();
    Map<String, String> present = usersByApplication.get();
    running.forEach(
        (application, totals) -> {
          String user = present.get(application);
          if (user != null) {
            totals.seen(user, now);
          }
          if (user == null || !outlived) {
            ended.add(totals.toJson(false));
          }
        });
    running.clear();
    ended.write(now);
    ended.close();
  }
}
