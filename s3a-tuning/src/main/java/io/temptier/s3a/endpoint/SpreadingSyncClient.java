// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import io.temptier.tier.lang.Immutable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.DelegatingS3Client;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;

/** A {@link S3Client} over several. A request that has no answer for too long is given up. */
final class SpreadingSyncClient extends SpreadingClient<S3Client> {
  private final Watch.StallTimer timer;

  SpreadingSyncClient(
      List<S3Client> clients,
      GatewayGroup group,
      Attempts.Resending resending,
      Watch.StallTimer timer,
      Runnable closing) {
    super(clients, group, resending, closing);
    this.timer = timer;
  }

  S3Client client() {
    return new DelegatingS3Client(delegate(S3Client.class)) {};
  }

  @Override
  @Nullable Object operate(Method method, Object[] arguments, Attempts attempts) throws Throwable {
    while (true) {
      Lease lease = attempts.next();
      Watch watch = attempts.watch(lease);
      Object result;
      Watch.StallTimer.SENDING.set(watch);
      try {
        result = call(method, lease.gateway.index, watch.over(arguments));
        watch.resting();
        Answers.check(lease.gateway, result);
      } catch (Exception e) {
        OptionalLong pause = attempts.failed(lease, e);
        // Where all hang, to ask would wait as long as to send it again.
        Optional<CompleteMultipartUploadResponse> whole =
            group.hasOther(Immutable.setOf())
                ? Answers.whole(client(), arguments[0], e)
                : Optional.empty();
        if (whole.isPresent()) {
          return whole.get();
        }
        if (!pause.isPresent() || !repeatable(arguments)) {
          throw attempts.verdict(e);
        }
        sleep(pause.getAsLong());
        continue;
      } catch (Throwable e) {
        lease.end();
        throw e;
      } finally {
        Watch.StallTimer.SENDING.remove();
      }
      lease.answered();
      if (result instanceof ResponseInputStream<?>) {
        ResponseInputStream<?> stream = (ResponseInputStream<?>) result;
        ResponseInputStream<?> leased = lease.over(stream, watch);
        demand(lease.gateway, watch, stream.response());
        ScheduledFuture<?> stalled = timer.whenStalled(watch, stream::abort);
        lease.atEnd(
            () -> {
              stalled.cancel(false);
              attempts.answered(watch);
            });
        return leased;
      }
      lease.end();
      attempts.answered(watch);
      return result;
    }
  }

  /**
   * Demands a least rate of a large answer, if another gateway may be faster; a small one is
   * through before that can be told.
   */
  private void demand(Gateway gateway, Watch watch, Object response) {
    long least = group.settings.leastRate() * watch.patience.toMillis() / 1_000;
    if (Answers.length(response) > least && group.hasOther(Immutable.setOf(gateway))) {
      watch.atLeast(least);
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AbortedException.create("interrupted while waiting for another attempt", e);
    }
  }

  /**
   * True if what a request uploads can be sent a second time. A body from a plain stream hands out
   * the same stream again, read to its end: the SDK would announce all bytes, send none, and wait.
   */
  private static boolean repeatable(Object[] arguments) {
    return Arrays.stream(arguments)
        .allMatch(
            argument -> !(argument instanceof RequestBody) || repeatable((RequestBody) argument));
  }

  private static boolean repeatable(RequestBody body) {
    try (InputStream one = body.contentStreamProvider().newStream();
        InputStream other = body.contentStreamProvider().newStream()) {
      return one != other || one.markSupported();
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }
}
