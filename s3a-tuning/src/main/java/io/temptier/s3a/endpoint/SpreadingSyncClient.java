// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.services.s3.S3Client;

/** A {@link S3Client} over several. */
final class SpreadingSyncClient extends SpreadingClient<S3Client> {
  private SpreadingSyncClient(
      List<S3Client> clients, GatewayGroup group, int retries, Runnable closing) {
    super(clients, group, retries, closing);
  }

  static S3Client over(List<S3Client> clients, GatewayGroup group, int retries, Runnable closing) {
    return (S3Client)
        Proxy.newProxyInstance(
            S3Client.class.getClassLoader(),
            new Class<?>[] {S3Client.class},
            new SpreadingSyncClient(clients, group, retries, closing));
  }

  @Override
  @Nullable Object operate(Method method, Object[] arguments, Attempts attempts) throws Throwable {
    while (true) {
      Lease lease = attempts.next();
      Object result;
      try {
        result = call(method, lease.gateway().index(), arguments);
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
      }
      lease.answered();
      if (result instanceof ResponseInputStream<?> stream) {
        return LeasedStream.of(stream, lease);
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
