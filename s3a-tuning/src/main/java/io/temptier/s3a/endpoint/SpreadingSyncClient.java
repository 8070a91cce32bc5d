// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Request;

/** A {@link S3Client} over several. A request that has no answer for too long is given up. */
final class SpreadingSyncClient extends SpreadingClient<S3Client> {
  private final StallTimer timer;
  private final EndpointSettings settings;

  private SpreadingSyncClient(
      List<S3Client> clients,
      GatewayGroup group,
      Resending resending,
      StallTimer timer,
      Runnable closing) {
    super(clients, group, resending, closing);
    this.timer = timer;
    this.settings = group.settings();
  }

  /**
   * Stands for them.
   *
   * @param timer which runs the timeouts of the clients
   */
  static S3Client over(
      List<S3Client> clients,
      GatewayGroup group,
      Resending resending,
      StallTimer timer,
      Runnable closing) {
    return (S3Client)
        Proxy.newProxyInstance(
            S3Client.class.getClassLoader(),
            new Class<?>[] {S3Client.class},
            new SpreadingSyncClient(clients, group, resending, timer, closing));
  }

  @Override
  @Nullable Object operate(Method method, Object[] arguments, Attempts attempts) throws Throwable {
    while (true) {
      Lease lease = attempts.next();
      Watch watch = new Watch(WatchedRequest.patience((S3Request) arguments[0], settings));
      Object result;
      StallTimer.begin(watch);
      try {
        result = call(method, lease.gateway().index(), WatchedRequest.of(arguments, watch));
      } catch (Exception e) {
        OptionalLong pause = attempts.failed(lease, e);
        if (pause.isEmpty() || !Bodies.repeatable(arguments)) {
          throw attempts.verdict(e);
        }
        sleep(pause.getAsLong());
        continue;
      } catch (Throwable e) {
        lease.end();
        throw e;
      } finally {
        StallTimer.end();
      }
      lease.answered();
      if (result instanceof ResponseInputStream<?> stream) {
        ResponseInputStream<?> leased = LeasedStream.of(stream, lease, watch);
        ScheduledFuture<?> stalled = timer.whenStalled(watch, stream::abort);
        lease.atEnd(() -> stalled.cancel(false));
        return leased;
      }
      lease.end();
      return result;
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
}
