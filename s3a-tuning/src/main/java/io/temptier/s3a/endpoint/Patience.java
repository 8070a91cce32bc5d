// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Request;

/**
 * Time that a request may wait for the next byte of its gateway: slow is not broken. Thread safe.
 *
 * <p>A gateway is left at the timeout of the settings only while another may answer better. Where
 * none is left a request waits twice as long, and twice as long again after each gateway that was
 * silent, up to what stock's client waits. How long answers took is remembered for two minutes by
 * the kind of request, and twice that is waited for: a store that is slow at one kind costs that
 * kind one such search.
 */
final class Patience {
  private static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(2);
  private static final int MOST_DOUBLINGS = 10;

  /** Divisor of the wait for the next gateway where one has just hung. */
  private static final int HURRY = 3;

  private final EndpointSettings settings;
  private final Map<Class<?>, Memory> slow = new HashMap<>();

  Patience(EndpointSettings settings) {
    this.settings = settings;
  }

  private static final class Memory {
    private final long waitNanos;
    private final long sinceNanos = System.nanoTime();

    Memory(long waitNanos) {
      this.waitNanos = waitNanos;
    }
  }

  /** A read needs no commit on slow disks. */
  private static boolean reads(S3Request request) {
    return request instanceof GetObjectRequest || request instanceof HeadObjectRequest;
  }

  private Duration base(S3Request request) {
    return reads(request) ? settings.readTimeout() : settings.writeTimeout();
  }

  private synchronized long remembered(S3Request request) {
    Memory memory = slow.get(request.getClass());
    return memory == null || System.nanoTime() - memory.sinceNanos > REMEMBERED_NANOS
        ? 0
        : memory.waitNanos;
  }

  /**
   * Returns how long the next gateway is waited for.
   *
   * @param better whether a gateway is left that may answer better
   * @param hurry whether another has just hung
   * @param silences how many were silent at this request
   * @param stock what stock's client waits
   */
  Duration of(S3Request request, boolean better, boolean hurry, int silences, Duration stock) {
    Duration base = base(request);
    Duration most = stock.compareTo(base) > 0 ? stock : base;
    long remembered = remembered(request);
    if (better && hurry && reads(request) && remembered == 0) {
      return base.dividedBy(HURRY);
    }
    long wait = Math.max(base.toNanos(), remembered);
    int doublings = better ? 0 : Math.max(1, Math.min(MOST_DOUBLINGS, silences));
    return Duration.ofNanos(Math.min(most.toNanos(), wait << doublings));
  }

  /** Notes a wait for the next requests of the kind: twice that of an answer, or one in vain. */
  synchronized void remember(S3Request request, long nanos) {
    if (nanos > base(request).toNanos() && nanos >= remembered(request)) {
      slow.put(request.getClass(), new Memory(nanos));
    }
  }
}
