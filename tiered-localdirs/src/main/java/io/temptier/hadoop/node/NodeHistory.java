// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.tier.Placement;
import io.temptier.tier.PlacementListener;
import io.temptier.tier.PlacementRequest;
import io.temptier.tier.journal.HistoryFile;
import io.temptier.tier.journal.PlacementRecord;
import io.temptier.tier.os.SpareCalls;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What became of each application's temporary data on this node. Totals of those that run are in
 * memory; when one has left the node, a line for it goes to a {@link HistoryFile}. After a restart
 * with recovery the totals come again from the tasks' journals, which live as long as their
 * applications; only what the earlier NodeManager itself placed for them is missing then.
 *
 * <p>Safe for use by many threads. Nobody waits for a disk but the history's own thread; lines that
 * no disk takes are kept, so many, and tried again.
 */
public final class NodeHistory implements PlacementListener, TempTierHistoryMXBean, AutoCloseable {
  /** Ended applications that JMX shows: some sixty kilobytes. */
  static final int MOST_RECENT = 200;

  /** Lines that wait for a disk. */
  static final int MOST_WAITING = 1000;

  /** More do not run on a node. */
  static final int MOST_RUNNING = 10_000;

  /** The last lines of an application's journals are read a moment after it has left. */
  static final Duration AFTERMATH = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(NodeHistory.class);
  private static final Duration PERIOD = Duration.ofSeconds(5);
  private static final Duration LAST_LINES = Duration.ofSeconds(2);
  private static final Set<NodeHistory> ACTIVE = ConcurrentHashMap.newKeySet();

  private final HistoryFile file;
  private final Supplier<Map<String, String>> usersByApplication;
  private final boolean outlived;
  private final Clock clock;
  private final long pid = ProcessHandle.current().pid();
  private final PeriodicDaemon daemon;
  private final SpareCalls last = new SpareCalls("TempTier history's last lines", 1);
  private final Map<String, ApplicationTotals> running = new ConcurrentHashMap<>();

  // Guarded by itself.
  private final Deque<String> recent = new ArrayDeque<>();

  // Guarded by the history.
  private final Deque<String> waiting = new ArrayDeque<>();
  private boolean loaded;
  private boolean failed;

  /**
   * A history.
   *
   * @param file where it is written
   * @param usersByApplication the applications that are on the node, each with its user
   * @param outlived whether applications go on when the NodeManager stops
   */
  NodeHistory(
      HistoryFile file,
      Supplier<Map<String, String>> usersByApplication,
      boolean outlived,
      Clock clock) {
    this.file = file;
    this.usersByApplication = usersByApplication;
    this.outlived = outlived;
    this.clock = clock;
    this.daemon = new PeriodicDaemon("TempTier history", PERIOD, this::round);
  }

  /** Begins. */
  void start() {
    ACTIVE.add(this);
    daemon.start();
  }

  @Override
  public void placed(PlacementRequest request, Placement placement) {
    record(PlacementRecord.Event.PLACED, request, placement, request.bytes());
  }

  @Override
  public void settled(PlacementRequest request, Placement placement, long bytes) {
    record(PlacementRecord.Event.SETTLED, request, placement, bytes);
  }

  private void record(
      PlacementRecord.Event event, PlacementRequest request, Placement placement, long bytes) {
    if (request.application() != null) {
      accept(PlacementRecord.of(clock.millis(), pid, event, request, placement, bytes));
    }
  }

  /** Counts what a task of an application placed, or the NodeManager for it. */
  void accept(PlacementRecord record) {
    String application = record.application();
    if (application != null) {
      update(application, totals -> totals.add(record));
    }
  }

  /** Counts a container that is over, and one that failed before that. Never blocks. */
  void container(String application, ContainerState state) {
    if (state == ContainerState.DONE || state == ContainerState.EXITED_WITH_FAILURE) {
      update(application, totals -> totals.container(state, clock.millis()));
    }
  }

  /**
   * Counts a map output that was moved to a slower tier, where one NodeManager's history is kept in
   * this JVM. Never blocks.
   *
   * @param bytes its size
   */
  public static void demoted(String application, long bytes) {
    Object[] active = ACTIVE.toArray();
    if (active.length == 1) {
      ((NodeHistory) active[0]).update(application, totals -> totals.demoted(bytes));
    }
  }

  private void update(String application, Consumer<ApplicationTotals> change) {
    running.compute(
        application,
        (id, known) -> {
          if (known == null && running.size() >= MOST_RUNNING) {
            return null;
          }
          ApplicationTotals totals =
              known == null ? new ApplicationTotals(id, clock.millis()) : known;
          change.accept(totals);
          return totals;
        });
  }

  /** Writes down the applications that have left the node. May take as long as the disk does. */
  synchronized void round() {
    load();
    Map<String, String> present = usersByApplication.get();
    long now = clock.millis();
    for (String application : running.keySet()) {
      running.computeIfPresent(
          application,
          (id, totals) -> {
            String user = present.get(id);
            if (user != null) {
              totals.seen(user, now);
              return totals;
            }
            if (now - totals.lastSeenMillis() < AFTERMATH.toMillis()) {
              return totals;
            }
            ended(totals);
            return null;
          });
    }
    write();
  }

  /** What the last NodeManager wrote is shown again. */
  private void load() {
    if (!loaded) {
      loaded = true;
      file.last(MOST_RECENT).forEach(this::remember);
    }
  }

  // Called with the history locked.
  private void ended(ApplicationTotals totals) {
    String line = totals.toJson(false);
    remember(line);
    if (waiting.size() == MOST_WAITING) {
      waiting.removeFirst();
    }
    waiting.addLast(line);
  }

  private void remember(String line) {
    synchronized (recent) {
      if (recent.size() == MOST_RECENT) {
        recent.removeFirst();
      }
      recent.addLast(line);
    }
  }

  private void write() {
    try {
      for (Iterator<String> lines = waiting.iterator(); lines.hasNext(); ) {
        if (!file.append(lines.next(), clock.millis())) {
          // It is being turned over.
          return;
        }
        lines.remove();
      }
      failed = false;
    } catch (IOException e) {
      if (!failed) {
        failed = true;
        LOG.warn(
            "What became of ended applications cannot be written down ({}). Up to {} of them are"
                + " kept in memory and tried again; not logged again until it works.",
            e.toString(),
            MOST_WAITING);
      }
    }
  }

  @Override
  public String getApplications() {
    List<String> all = new ArrayList<>();
    running.values().forEach(totals -> all.add(totals.toJson(true)));
    synchronized (recent) {
      all.addAll(recent);
    }
    return "[" + String.join(",", all) + "]";
  }

  /** Ends it; what runs is written down unless it outlives the NodeManager. */
  @Override
  public void close() {
    ACTIVE.remove(this);
    daemon.close();
    try {
      last.call(
          this,
          LAST_LINES,
          () -> {
            writeLast();
            return true;
          });
    } catch (IOException e) {
      LOG.warn("The history's last lines are not written: {}", e.toString());
    }
  }

  private synchronized void writeLast() {
    if (!outlived) {
      Map<String, String> present = usersByApplication.get();
      running.forEach(
          (application, totals) -> {
            String user = present.get(application);
            if (user != null) {
              totals.seen(user, clock.millis());
            }
            ended(totals);
          });
      running.clear();
    }
    write();
    file.close();
  }
}
