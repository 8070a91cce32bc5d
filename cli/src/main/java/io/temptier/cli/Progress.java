// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import io.temptier.tier.os.thread.Threads;
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
  static final Duration SILENT = Duration.ofSeconds(2);
  private static final long REDRAW_MILLIS = 1000;
  private static final int MAX_WIDTH = 100;
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final String label;
  private final PrintWriter err;
  private final long startNanos = System.nanoTime();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile String state = "";
  private boolean drawn;

  private Progress(String label, PrintWriter err) {
    this.label = label;
    this.err = err;
  }

  /** Starts to show progress; nothing is drawn where nobody looks at {@code err}. */
  static Progress start(String label, PrintWriter err, boolean terminal, Duration silent) {
    Progress progress = new Progress(label, err);
    if (terminal) {
      Threads.run("progress", () -> progress.run(silent));
    }
    return progress;
  }

  /** Tells what is being done now, in a few words such as {@code map 40 %}. */
  public void say(String newState) {
    state = newState;
  }

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
        waitMillis = REDRAW_MILLIS;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void draw() {
    if (closed.getCount() > 0) {
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos);
      String line = label + (state.isEmpty() ? "" : ": " + state) + " (" + seconds + " s)";
      err.print(CLEAR_LINE + line.substring(0, Math.min(MAX_WIDTH, line.length())));
      err.flush();
      drawn = true;
    }
  }
}
