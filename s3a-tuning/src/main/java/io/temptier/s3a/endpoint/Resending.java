// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.s3a.Constants;

/**
 * How often a request is sent again, and how long it waits when the store asks for fewer.
 *
 * @param retries how often at most
 * @param throttleIntervalMillis what S3A's own policy for throttled requests begins with
 */
record Resending(int retries, long throttleIntervalMillis) {
  /** As the SDK waits at most. */
  private static final long MOST_MILLIS = 20_000;

  private static final int MOST_DOUBLINGS = 16;

  /** As S3A is set. */
  static Resending of(Configuration conf) {
    return new Resending(
        Math.max(0, conf.getInt(Constants.MAX_ERROR_RETRIES, Constants.DEFAULT_MAX_ERROR_RETRIES)),
        conf.getTimeDuration(
            Constants.RETRY_THROTTLE_INTERVAL,
            Constants.RETRY_THROTTLE_INTERVAL_DEFAULT,
            TimeUnit.MILLISECONDS));
  }

  Resending times(int most) {
    return new Resending(most, throttleIntervalMillis);
  }

  /** Milliseconds to wait after so many throttled answers, as {@code S3ARetryPolicy} does. */
  long throttleMillis(int throttled) {
    long middle =
        Math.min(MOST_MILLIS, throttleIntervalMillis << Math.min(throttled, MOST_DOUBLINGS));
    return middle / 2 + ThreadLocalRandom.current().nextLong(middle + 1);
  }
}
