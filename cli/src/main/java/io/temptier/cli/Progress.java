// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import io.temptier.tier.os.Threads;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Progress line on a terminal: a label, what is being done now, and the seconds it took so far.
 * Nothing is shown in the first two seconds, nor where output is no terminal. Thread-safe.
 */
public final class Progress implements AutoCloseable {
  static final Duration SILENT = Duration.ofSeconds(2);
  private static final Duration REDRAW = Duration.ofSeconds(1);
  private static final int MAX_WIDTH = 100;
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final String label;
  private final PrintWriter err;
  private final long startNanos = System.nanoTime();
  private final ScheduledThreadPoolExecutor timer = Threads.scheduler("progress", 1);
  private volatile String state = "";
  private boolean drawn;

  /** True where each phase is a line, as without a terminal. */
  private boolean lines;

  private String phase = "";

  private Progress(String label, PrintWriter err) {
    this.label = label;
    this.err = err;
  }

  /** Starts to show progress; nothing is drawn where nobody looks at {@code err}. */
  static Progress start(String label, PrintWriter err, boolean terminal, Duration silent) {
    Progress progress = new Progress(label, err);
    if (terminal) {
      Future<?> unused =
          progress.timer.scheduleWithFixedDelay(
              progress::draw, silent.toMillis(), REDRAW.toMillis(), TimeUnit.MILLISECONDS);
    }
    return progress;
  }

  /** Starts to show a line for each phase, which is what a state begins with up to a colon. */
  static Progress inLines(String label, PrintWriter err) {
    Progress progress = new Progress(label, err);
    progress.lines = true;
    return progress;
  }

  /** Tells what is being done now, in a few words such as {@code map 40 %}. */
  public synchronized void say(String newState) {
    state = newState;
    String next = newState.split(":", 2)[0];
    if (lines && !next.equals(phase)) {
      phase = next;
      err.println(line(next));
    }
  }

  public String last() {
    return line(state);
  }

  private String line(String said) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos);
    return label + (said.isEmpty() ? "" : ": " + said) + " (" + seconds + " s)";
  }

  @Override
  public void close() {
    timer.shutdownNow();
    synchronized (this) {
      if (drawn) {
        err.print(CLEAR_LINE);
        err.flush();
        drawn = false;
      }
    }
  }

  private synchronized void draw() {
    if (!timer.isShutdown()) {
      String line = last();
      err.print(CLEAR_LINE + line.substring(0, Math.min(MAX_WIDTH, line.length())));
      err.flush();
      drawn = true;
    }
  }
}
