// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import io.temptier.tier.os.Threads;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.services.s3.model.S3Request;

/**
 * Watches whether a request moves: since when it has waited for its gateway without a byte. Thread
 * safe.
 *
 * <p>The SDK's timeouts are of a whole request. One short enough to notice a gateway that hangs
 * would end every large upload over a slow line, and begin it again. So time counts from the last
 * byte here, and only while the gateway has the word: neither a slow disk under an upload nor a
 * reader that pauses is its fault.
 */
final class Watch {
  final Duration patience;
  private final AtomicBoolean expired = new AtomicBoolean();
  private volatile long sinceNanos;
  private volatile boolean waiting;

  /** Bytes that must come within patience, of waiting; 0 for any. */
  private volatile long leastBytes;

  private volatile long waitedNanos;
  private volatile long moved;
  private volatile long longestNanos;

  Watch(Duration patience) {
    this.patience = patience;
    waiting();
  }

  /** Demands that so many bytes come within patience: a byte now and then is no more enough. */
  void atLeast(long bytes) {
    leastBytes = bytes;
  }

  /** Begins the gateway's turn. */
  void waiting() {
    sinceNanos = System.nanoTime();
    waiting = true;
  }

  /** Ends the gateway's turn: nothing is expected of it. */
  void resting() {
    if (waiting) {
      longestNanos = Math.max(longestNanos, System.nanoTime() - sinceNanos);
    }
    waiting = false;
  }

  long longestNanos() {
    return longestNanos;
  }

  /** Counts bytes that came, or the end; called by the one thread that reads. */
  void came(int bytes) {
    long waited = waitedNanos + System.nanoTime() - sinceNanos;
    long came = moved + Math.max(0, bytes);
    boolean enough = came >= leastBytes;
    waitedNanos = enough ? 0 : waited;
    moved = enough ? 0 : came;
    resting();
  }

  /** True once, if it has waited too long now. */
  boolean expire() {
    if (!waiting) {
      return false;
    }
    long waits = System.nanoTime() - sinceNanos;
    boolean trickles = leastBytes > 0 && waitedNanos + waits >= patience.toNanos();
    return (trickles || waits >= patience.toNanos()) && expired.compareAndSet(false, true);
  }

  boolean hasExpired() {
    return expired.get();
  }

  /**
   * The arguments of an operation, made such that this learns whether it moves, to be given once to
   * a client whose timeouts a {@link StallTimer} runs. Those with a transformer are left alone: it
   * reads within the operation, and S3A uses none.
   *
   * @param arguments of an operation, the request first
   */
  Object[] over(Object[] arguments) {
    Object[] watched = arguments.clone();
    watched[0] = withTimeout((S3Request) arguments[0]);
    for (int i = 1; i < arguments.length; i++) {
      if (arguments[i] instanceof ResponseTransformer) {
        return arguments;
      }
      if (arguments[i] instanceof RequestBody) {
        watched[i] = watched((RequestBody) arguments[i]);
      }
    }
    return watched;
  }

  private S3Request withTimeout(S3Request request) {
    AwsRequestOverrideConfiguration.Builder override =
        request
            .overrideConfiguration()
            .map(AwsRequestOverrideConfiguration::toBuilder)
            .orElseGet(AwsRequestOverrideConfiguration::builder);
    S3Request.Builder builder = request.toBuilder();
    builder.overrideConfiguration(override.apiCallAttemptTimeout(patience).build());
    return builder.build();
  }

  private RequestBody watched(RequestBody body) {
    ContentStreamProvider provider = () -> new Upload(body.contentStreamProvider().newStream());
    return body.optionalContentLength().isPresent()
        ? RequestBody.fromContentProvider(
            provider, body.optionalContentLength().get(), body.contentType())
        : RequestBody.fromContentProvider(provider, body.contentType());
  }

  /** Upload: when the client comes for more, the gateway has taken what was before. */
  private final class Upload extends FilterInputStream {
    Upload(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      resting();
      try {
        return in.read(buffer, offset, length);
      } finally {
        waiting();
      }
    }
  }

  /**
   * Runs the SDK's timeouts, and lets those of a watched request wait as long as it moves: what the
   * SDK does when time is up, to break the connection and free the thread, nobody else can.
   */
  static final class StallTimer extends ScheduledThreadPoolExecutor {
    private static final long IDLE_SECONDS = 10;
    private static final long LONGEST_TICK_MILLIS = 1_000;
    private static final int TICKS = 10;

    /**
     * Watch of the request that this thread sends, whose timeout per attempt is the watch's
     * patience: the SDK schedules the timeouts of a request in the thread that sends it.
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
      return watch != null && unit.toMillis(delay) == watch.patience.toMillis()
          ? whenStalled(watch, task)
          : super.schedule(task, delay, unit);
    }

    /** Runs a task once when a request has waited too long, until that is cancelled. */
    ScheduledFuture<?> whenStalled(Watch watch, Runnable task) {
      long tick = Math.max(1, Math.min(LONGEST_TICK_MILLIS, watch.patience.toMillis() / TICKS));
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
}
