// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import io.temptier.tier.lang.Immutable;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.s3a.Constants;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.services.s3.model.AbortMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectsRequest;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsRequest;
import software.amazon.awssdk.services.s3.model.ListObjectsRequest;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.S3Request;

/** The attempts at one request: where each goes, and whether there is another. For one thread. */
final class Attempts {
  /** As the SDK waits. */
  private static final long BASE_MILLIS = 100;

  private static final long MOST_MILLIS = 20_000;
  private static final int MOST_DOUBLINGS = 16;

  /** What a request is about, by the names of the fields, the best first. */
  private static final List<String> KEYS =
      Immutable.listOf("Key", "DestinationKey", "Prefix", "Bucket");

  /** Take names out of a bucket's index, or read them there. */
  private static final Set<Class<?>> OF_INDEX =
      Immutable.setOf(
          AbortMultipartUploadRequest.class,
          DeleteObjectRequest.class,
          DeleteObjectsRequest.class,
          ListMultipartUploadsRequest.class,
          ListObjectsRequest.class,
          ListObjectsV2Request.class);

  private final GatewayGroup group;
  private final Resending resending;
  private final String key;
  private final boolean ofIndex;
  private final Set<Gateway> failed = new HashSet<>();
  private int failures;
  private @Nullable Throwable last;

  Attempts(GatewayGroup group, Resending resending, S3Request request) {
    this.group = group;
    this.resending = resending;
    this.key = keyOf(request);
    this.ofIndex = OF_INDEX.contains(request.getClass());
  }

  /** How often a request is sent again, and how long it waits when the store asks for fewer. */
  static final class Resending {
    private final int retries;

    /** What S3A's own policy for throttled requests begins with. */
    private final long throttleIntervalMillis;

    Resending(int retries, long throttleIntervalMillis) {
      this.retries = retries;
      this.throttleIntervalMillis = throttleIntervalMillis;
    }

    /** As S3A is set. */
    Resending(Configuration conf) {
      this(
          Math.max(
              0, conf.getInt(Constants.MAX_ERROR_RETRIES, Constants.DEFAULT_MAX_ERROR_RETRIES)),
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

  private static String keyOf(S3Request request) {
    for (String field : KEYS) {
      String value = request.getValueForField(field, String.class).orElse("");
      if (!value.isEmpty()) {
        return value;
      }
    }
    return "";
  }

  Lease next() {
    return ofIndex ? group.leaseHome(failed) : group.lease(key, failed);
  }

  /**
   * Notes that one failed.
   *
   * @return milliseconds to wait before the next; empty when there is none, and {@link #verdict} is
   *     the end of the request
   */
  OptionalLong failed(Lease lease, Throwable failure) {
    Outcome outcome = lease.failed(failure);
    Gateway gateway = lease.gateway;
    Throwable before = last;
    // That a body cannot be sent twice tells the caller less than why it had to be.
    if (outcome == Outcome.UNKNOWN && before != null && !(failure instanceof AbortedException)) {
      if (before != failure) {
        before.addSuppressed(failure);
      }
      return OptionalLong.empty();
    }
    last = failure;
    failures++;
    if (!outcome.retried() || failures > resending.retries) {
      return OptionalLong.empty();
    }
    if (outcome.blames()) {
      failed.add(gateway);
    }
    gateway.counts.add(GatewayCounter.RETRIED, 1);
    if (outcome == Outcome.THROTTLED) {
      // When all are throttled, by how long they have been: this request may be the first to hear.
      return OptionalLong.of(resending.throttleMillis(Math.max(failures, group.throttlesInARow())));
    }
    return OptionalLong.of(
        outcome.blames() && group.hasOther(failed) ? 0 : backOffMillis(failures));
  }

  /** What the caller hears. */
  Throwable verdict(Throwable failure) {
    return last == null ? failure : last;
  }

  private static long backOffMillis(int failures) {
    long most = Math.min(MOST_MILLIS, BASE_MILLIS << Math.min(failures, MOST_DOUBLINGS));
    return ThreadLocalRandom.current().nextLong(most + 1);
  }
}
