// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Looks at something time and again, on a thread of its own, and once more when it is closed. */
public abstract class Sampler implements AutoCloseable {
  private final long periodMillis;
  private final long startNanos = System.nanoTime();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread;

  @SuppressWarnings("this-escape") // The thread runs from start() on.
  protected Sampler(String name, long periodMillis) {
    this.periodMillis = periodMillis;
    this.thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  /** Begins; the end of the constructor. */
  protected final void start() {
    thread.start();
  }

  protected abstract void look() throws IOException;

  /** Returns the seconds since it was made. */
  public final double seconds() {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  private void run() {
    boolean last = false;
    while (!last) {
      try {
        last = stop.await(periodMillis, TimeUnit.MILLISECONDS);
        look();
      } catch (InterruptedException e) {
        return;
      } catch (IOException e) {
        // Files come and go; the next look may tell.
      }
    }
  }

  @Override
  public void close() {
    stop.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
