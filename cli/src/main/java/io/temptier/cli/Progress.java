// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One line on a terminal that tells a person that work goes on: a label, what is being done now,
 * and the seconds it took so far. Nothing is shown in the first two seconds, nor where nobody
 * looks. Thread-safe.
 */
public final class Progress implements AutoCloseable {
  private static final Duration SILENT = Duration.ofSeconds(2);
  private static final Duration REDRAW = Duration.ofMillis(250);
  private static final char[] SPINNER = {'|', '/', '-', '\\'};
  private static final int MAX_WIDTH = 100;
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final String label;
  private final PrintWriter err;
  private final long startNanos;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile String state = "";
  private boolean drawn;

  private Progress(String label, PrintWriter err) {
    this.label = label;
    this.err = err;
    this.startNanos = System.nanoTime();
  }

  /** Starts to show progress; nothing is drawn where nobody looks at {@code err}. */
  public static Progress start(String label, PrintWriter err, boolean terminal) {
    return start(label, err, terminal, SILENT);
  }

  static Progress start(String label, PrintWriter err, boolean terminal, Duration silent) {
    Progress progress = new Progress(label, err);
    if (terminal) {
      Thread thread = new Thread(() -> progress.run(silent), "progress");
      thread.setDaemon(true);
      thread.start();
    }
    return progress;
  }

  /** Tells what is being done now, in a few words such as {@code map 40 %}. */
  public void say(String newState) {
    state = newState;
  }

  /** Stops, and removes the line. */
  @Override
  public void close() {
    closed.countDown();
    synchronized (this) {
      if (drawn) {
        err.print(CLEAR_LINE);
        err.flush();
        drawn = false;
      }
    }
  }

  private void run(Duration silent) {
    try {
      long waitMillis = silent.toMillis();
      while (!closed.await(waitMillis, TimeUnit.MILLISECONDS)) {
        draw();
        waitMillis = REDRAW.toMillis();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void draw() {
    if (closed.getCount() == 0) {
      return;
    }
    Duration taken = Duration.ofNanos(System.nanoTime() - startNanos);
    String line =
        SPINNER[(int) (taken.toMillis() / REDRAW.toMillis() % SPINNER.length)]
            + " "
            + label
            + (state.isEmpty() ? "" : ": " + state)
            + " ("
            + taken.getSeconds()
            + " s)";
    err.print(CLEAR_LINE + (line.length() > MAX_WIDTH ? line.substring(0, MAX_WIDTH) : line));
    err.flush();
    drawn = true;
  }
}
