// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import static org.apache.hadoop.fs.s3a.Constants.DEFAULT_REQUEST_TIMEOUT_DURATION;
import static org.apache.hadoop.fs.s3a.Constants.DEFAULT_SOCKET_TIMEOUT_DURATION;
import static org.apache.hadoop.fs.s3a.Constants.REQUEST_TIMEOUT;
import static org.apache.hadoop.fs.s3a.Constants.SOCKET_TIMEOUT;

import io.temptier.tier.lang.Immutable;
import java.time.Duration;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.s3a.Constants;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.RequestOverrideConfiguration;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.services.s3.model.AbortMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectsRequest;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsRequest;
import software.amazon.awssdk.services.s3.model.ListObjectsRequest;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.S3Request;

/** The attempts at one request: where each goes, and whether there is another. For one thread. */
final class Attempts {
  /** Base of the back-off, as in the SDK. */
  private static final long BASE_MILLIS = 100;

  private static final long MOST_MILLIS = 20_000;
  private static final int MOST_DOUBLINGS = 16;

  /** Take names out of a bucket's index, or read them there. */
  private static final Set<Class<?>> OF_INDEX =
      Immutable.setOf(
          AbortMultipartUploadRequest.class,
          DeleteObjectRequest.class,
          DeleteObjectsRequest.class,
          ListMultipartUploadsRequest.class,
          ListObjectsRequest.class,
          ListObjectsV2Request.class);

  /** A store that is at work on an upload's end refuses to begin it again. */
  private static final long WORK_MILLIS = 1_000;

  private final GatewayGroup group;
  private final Resending resending;
  private final S3Request request;
  private final boolean ofIndex;
  private final Set<Gateway> failed = new HashSet<>();
  private int failures;
  private int silences;
  private @Nullable Watch watch;
  private @Nullable Throwable last;

  Attempts(GatewayGroup group, Resending resending, S3Request request) {
    this.group = group;
    this.resending = resending;
    this.request = request;
    this.ofIndex = OF_INDEX.contains(request.getClass());
  }

  /** S3A's settings of how often a request is sent again, and how long it waits for what. */
  static final class Resending {
    private final Configuration conf;
    private final int retries;

    Resending(Configuration conf) {
      this(
          conf,
          Math.max(
              0, conf.getInt(Constants.MAX_ERROR_RETRIES, Constants.DEFAULT_MAX_ERROR_RETRIES)));
    }

    private Resending(Configuration conf, int retries) {
      this.conf = conf;
      this.retries = retries;
    }

    Resending times(int most) {
      return new Resending(conf, most);
    }

    /** Returns the time that stock's client waits for a gateway that is silent at this request. */
    Duration patience(S3Request request) {
      Duration socket = atLeastMinimum(SOCKET_TIMEOUT, DEFAULT_SOCKET_TIMEOUT_DURATION);
      Duration call =
          request
              .overrideConfiguration()
              .flatMap(RequestOverrideConfiguration::apiCallAttemptTimeout)
              .orElseGet(() -> atLeastMinimum(REQUEST_TIMEOUT, DEFAULT_REQUEST_TIMEOUT_DURATION));
      return call.isZero() || call.compareTo(socket) > 0 ? socket : call;
    }

    /** Reads a time as {@code AWSClientConfig} does; 0 is none. */
    private Duration atLeastMinimum(String key, Duration defaultValue) {
      Duration set =
          Duration.ofMillis(
              conf.getTimeDuration(key, defaultValue.toMillis(), TimeUnit.MILLISECONDS));
      Duration least = Constants.MINIMUM_NETWORK_OPERATION_DURATION;
      return set.isZero() || set.compareTo(least) > 0 ? set : least;
    }

    /** Milliseconds to wait after so many throttled answers, as {@code S3ARetryPolicy} does. */
    long throttleMillis(int throttled) {
      long interval =
          conf.getTimeDuration(
              Constants.RETRY_THROTTLE_INTERVAL,
              Constants.RETRY_THROTTLE_INTERVAL_DEFAULT,
              TimeUnit.MILLISECONDS);
      long middle = Math.min(MOST_MILLIS, interval << Math.min(throttled, MOST_DOUBLINGS));
      return middle / 2 + ThreadLocalRandom.current().nextLong(middle + 1);
    }
  }

  Lease next() {
    return ofIndex ? group.leaseHome(failed) : group.lease(failed);
  }

  /** Watches how long the gateway of an attempt is silent. */
  Watch watch(Lease lease) {
    Set<Gateway> others = new HashSet<>(failed);
    others.add(lease.gateway);
    Duration wait =
        group.patience.of(
            request,
            group.hasOther(others),
            group.hungLately(),
            silences,
            resending.patience(request));
    Watch begun = new Watch(wait);
    watch = begun;
    return begun;
  }

  /** Ends the request with an answer: nothing more is waited for. */
  void answered(Watch waited) {
    group.patience.remember(request, 2 * waited.longestNanos());
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
    // The caller learns more from the failure before than from "cannot be sent twice".
    if (outcome == Outcome.UNKNOWN && before != null && !(failure instanceof AbortedException)) {
      if (before != failure) {
        before.addSuppressed(failure);
      }
      return OptionalLong.empty();
    }
    last = failure;
    failures++;
    if (!outcome.retried || failures > resending.retries) {
      return OptionalLong.empty();
    }
    if (outcome.blames()) {
      failed.add(gateway);
    }
    if (outcome == Outcome.SILENT && watch != null) {
      silences++;
      group.patience.remember(request, watch.patience.toNanos());
    }
    gateway.counts.add(GatewayCounter.RETRIED, 1);
    if (outcome == Outcome.THROTTLED) {
      // When all are throttled, by how long they have been: this request may be the first to hear.
      return OptionalLong.of(resending.throttleMillis(Math.max(failures, group.throttlesInARow())));
    }
    if (outcome == Outcome.TROUBLE && request instanceof CompleteMultipartUploadRequest) {
      return OptionalLong.of(
          Math.min(MOST_MILLIS, WORK_MILLIS << Math.min(failures, MOST_DOUBLINGS)));
    }
    return OptionalLong.of(
        outcome.blames() && group.hasOther(failed) ? 0 : backOffMillis(failures));
  }

  Throwable verdict(Throwable failure) {
    return last == null ? failure : last;
  }

  private static long backOffMillis(int failures) {
    long most = Math.min(MOST_MILLIS, BASE_MILLIS << Math.min(failures, MOST_DOUBLINGS));
    return ThreadLocalRandom.current().nextLong(most + 1);
  }
}
