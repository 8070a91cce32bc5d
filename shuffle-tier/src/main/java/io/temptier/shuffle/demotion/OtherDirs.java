// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.tier.LocalDir;
import io.temptier.tier.os.thread.TimedCalls;
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
final class OtherDirs {
  private static final Logger LOG = LoggerFactory.getLogger(OtherDirs.class);

  /** The slowest disk answers a look-up within that. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** A dir that answers too late each time takes a seventh of an asker's time at most. */
  static final long REST_NANOS = Duration.ofMinutes(1).toNanos();

  /** A dir did not answer: what lies there is not known now. */
  static final class NoAnswerException extends IOException {
    private static final long serialVersionUID = 1;

    NoAnswerException(LocalDir dir, IOException cause) {
      super(dir + " does not answer", cause);
    }
  }

  private final TimedCalls calls = new TimedCalls("TempTier demotion looks into another dir", 1);
  private final Duration patience;
  private final LongSupplier clockNanos;
  private final Map<LocalDir, Long> silentSinceNanos = new ConcurrentHashMap<>();

  OtherDirs() {
    this(PATIENCE, System::nanoTime);
  }

  /** The same for somebody who takes a dir for hung that does not answer for so long. */
  static OtherDirs within(Duration stall) {
    return new OtherDirs(stall.compareTo(PATIENCE) < 0 ? stall : PATIENCE, System::nanoTime);
  }

  /** The same with another deadline and clock, in nanoseconds. */
  OtherDirs(Duration patience, LongSupplier clockNanos) {
    this.patience = patience;
    this.clockNanos = clockNanos;
  }

  /**
   * Looks into a dir, on a thread to spare.
   *
   * @param look goes on when it is late
   * @throws NoAnswerException when there was none in time, or the dir rests
   * @throws IOException that {@code look} threw
   */
  <T> T look(LocalDir dir, Callable<T> look) throws IOException {
    Long since = silentSinceNanos.get(dir);
    if (since != null && clockNanos.getAsLong() - since < REST_NANOS) {
      throw new NoAnswerException(dir, new IOException("it did not a moment ago"));
    }
    Answer<T> answer;
    try {
      answer = calls.call(dir, patience, () -> answer(look));
    } catch (IOException e) {
      if (!Thread.currentThread().isInterrupted()
          && silentSinceNanos.put(dir, clockNanos.getAsLong()) == null) {
        LOG.warn("{} hangs: demotion goes on without what lies there", dir, e);
      }
      throw new NoAnswerException(dir, e);
    }
    silentSinceNanos.remove(dir);
    return answer.get();
  }

  /** An error is an answer, too. */
  private static <T> Answer<T> answer(Callable<T> look) throws Exception {
    try {
      T value = look.call();
      return () -> value;
    } catch (IOException e) {
      return () -> {
        throw e;
      };
    }
  }

  private interface Answer<T> {
    T get() throws IOException;
  }
}
