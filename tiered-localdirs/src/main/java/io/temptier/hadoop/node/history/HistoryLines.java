// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node.history;

import io.temptier.tier.journal.HistoryFile;
import io.temptier.tier.lang.Immutable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lines on their way to a {@link HistoryFile}, and the last ones, to be shown. Lines that no disk
 * takes are kept, so many, and tried again. For one thread, except {@link #recent()}.
 */
final class HistoryLines implements AutoCloseable {
  /** Lines that wait for a disk. */
  static final int MOST_WAITING = 1000;

  private static final Logger LOG = LoggerFactory.getLogger(HistoryLines.class);

  private final HistoryFile file;
  private final int mostRecent;
  private final Deque<String> waiting = new ArrayDeque<>();
  private boolean loaded;
  private boolean failed;

  // Guarded by itself.
  private final Deque<String> recent = new ArrayDeque<>();

  /**
   * No lines.
   *
   * @param mostRecent how many are shown
   */
  HistoryLines(HistoryFile file, int mostRecent) {
    this.file = file;
    this.mostRecent = mostRecent;
  }

  /** What the last NodeManager wrote is shown again. May take as long as the disk does. */
  void load() {
    if (!loaded) {
      loaded = true;
      file.last(mostRecent).forEach(this::remember);
    }
  }

  /** Adds a line, which {@link #write} writes. */
  void add(String line) {
    remember(line);
    if (waiting.size() == MOST_WAITING) {
      waiting.removeFirst();
    }
    waiting.addLast(line);
  }

  private void remember(String line) {
    synchronized (recent) {
      if (recent.size() == mostRecent) {
        recent.removeFirst();
      }
      recent.addLast(line);
    }
  }

  /** The last lines, oldest first. Never waits for a disk. */
  List<String> recent() {
    synchronized (recent) {
      return Immutable.listFrom(recent);
    }
  }

  /**
   * Writes what waits. May take as long as the disk does.
   *
   * @param nowMillis milliseconds since 1970
   */
  void write(long nowMillis) {
    try {
      for (Iterator<String> lines = waiting.iterator(); lines.hasNext(); ) {
        if (!file.append(lines.next(), nowMillis)) {
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
            "The node's history cannot be written down ({}). Up to {} lines are kept in memory and"
                + " tried again; not logged again until it works.",
            e.toString(),
            MOST_WAITING);
      }
    }
  }

  @Override
  public void close() {
    file.close();
  }
}
