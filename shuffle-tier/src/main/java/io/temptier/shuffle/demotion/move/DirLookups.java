// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.move;

import io.temptier.tier.LocalDir;
import io.temptier.tier.os.thread.TimedCalls;
import io.temptier.tier.os.thread.TimedCalls.LateException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks into dirs that others than the asking thread take care of. One that hangs costs the asker
 * the deadline once in a while, and nothing in between: it is not asked again before it has rested.
 * Safe for use by many threads.
 */
public final class DirLookups {
  private static final Logger LOG = LoggerFactory.getLogger(DirLookups.class);

  /** The slowest disk answers a look-up within that. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** A dir that answers too late each time takes a seventh of an asker's time at most. */
  public static final long REST_NANOS = Duration.ofMinutes(1).toNanos();

  private final TimedCalls calls = new TimedCalls("TempTier demotion looks into another dir", 1);
  private final Duration patience;
  private final LongSupplier clockNanos;
  private final Map<LocalDir, Long> silentSinceNanos = new ConcurrentHashMap<>();

  public DirLookups() {
    this(PATIENCE, System::nanoTime);
  }

  /** Makes it for somebody who takes a dir for hung that does not answer for so long. */
  public static DirLookups within(Duration stall) {
    return new DirLookups(stall.compareTo(PATIENCE) < 0 ? stall : PATIENCE, System::nanoTime);
  }

  /** Makes it with a deadline and a clock in nanoseconds. */
  public DirLookups(Duration patience, LongSupplier clockNanos) {
    this.patience = patience;
    this.clockNanos = clockNanos;
  }

  /**
   * Looks into a dir, on a thread to spare.
   *
   * @param look goes on when it is late
   * @throws LateException when there was no answer in time, or the dir rests
   * @throws IOException that {@code look} threw
   */
  public <T> T look(LocalDir dir, Callable<T> look) throws IOException {
    Long since = silentSinceNanos.get(dir);
    if (since != null && clockNanos.getAsLong() - since < REST_NANOS) {
      throw new LateException(dir + " did not answer a moment ago", null);
    }
    boolean late = false;
    try {
      return calls.call(dir, patience, look);
    } catch (LateException e) {
      late = true;
      if (silentSinceNanos.put(dir, clockNanos.getAsLong()) == null) {
        LOG.warn("{} hangs: demotion goes on without what lies there", dir, e);
      }
      throw e;
    } finally {
      if (!late) {
        // An error is an answer, too.
        silentSinceNanos.remove(dir);
      }
    }
  }
}
