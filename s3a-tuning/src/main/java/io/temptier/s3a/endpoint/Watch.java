// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether a request moves: since when it has waited for its gateway without a byte. Thread safe.
 *
 * <p>The SDK's timeouts are of a whole request. One short enough to notice a gateway that hangs
 * would end every large upload over a slow line, and begin it again. So time counts from the last
 * byte here, and only while the gateway has the word: neither a slow disk under an upload nor a
 * reader that pauses is its fault.
 */
final class Watch {
  private final Duration patience;
  private final AtomicBoolean expired = new AtomicBoolean();
  private volatile long sinceNanos;
  private volatile boolean waiting;

  /** Waits from now on. */
  Watch(Duration patience) {
    this.patience = patience;
    waiting();
  }

  Duration patience() {
    return patience;
  }

  /** From now on it is the gateway's turn. */
  void waiting() {
    sinceNanos = System.nanoTime();
    waiting = true;
  }

  /** Nothing is expected of the gateway. */
  void resting() {
    waiting = false;
  }

  /** Whether it has waited too long now; true once only. */
  boolean expire() {
    return waiting
        && System.nanoTime() - sinceNanos >= patience.toNanos()
        && expired.compareAndSet(false, true);
  }

  /** Whether it has ever waited too long. */
  boolean hasExpired() {
    return expired.get();
  }
}
