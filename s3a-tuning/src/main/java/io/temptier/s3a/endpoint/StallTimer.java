// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import io.temptier.tier.os.thread.Threads;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs the SDK's timeouts, and lets those of a watched request wait as long as it moves: what the
 * SDK does when time is up, to break the connection and free the thread, nobody else can.
 */
final class StallTimer extends ScheduledThreadPoolExecutor {
  private static final long IDLE_SECONDS = 10;
  private static final long LONGEST_TICK_MILLIS = 1_000;
  private static final int TICKS = 10;

  /**
   * What this thread sends, whose timeout per attempt is the watch's patience: the SDK schedules
   * the timeouts of a request in the thread that sends it.
   */
  static final ThreadLocal<Watch> SENDING = new ThreadLocal<>();

  StallTimer() {
    super(1, Threads.daemons("temptier-s3a-timeouts"));
    setRemoveOnCancelPolicy(true);
    setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    allowCoreThreadTimeOut(true);
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
    Watch watch = SENDING.get();
    return watch != null && unit.toMillis(delay) == watch.patience().toMillis()
        ? whenStalled(watch, task)
        : super.schedule(task, delay, unit);
  }

  /** Runs a task once when a request has waited too long, until that is cancelled. */
  ScheduledFuture<?> whenStalled(Watch watch, Runnable task) {
    long tick = Math.max(1, Math.min(LONGEST_TICK_MILLIS, watch.patience().toMillis() / TICKS));
    return scheduleWithFixedDelay(
        () -> {
          if (watch.expire()) {
            task.run();
          }
        },
        tick,
        tick,
        TimeUnit.MILLISECONDS);
  }
}
