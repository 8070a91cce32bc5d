// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import io.temptier.tier.os.Later;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.DelegatingS3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** A {@link S3AsyncClient} over several. */
final class SpreadingAsyncClient extends SpreadingClient<S3AsyncClient> {
  SpreadingAsyncClient(
      List<S3AsyncClient> clients,
      GatewayGroup group,
      Attempts.Resending resending,
      Runnable closing) {
    super(clients, group, resending, closing);
  }

  S3AsyncClient client() {
    return new DelegatingS3AsyncClient(delegate(S3AsyncClient.class)) {};
  }

  @Override
  Object operate(Method method, Object[] arguments, Attempts attempts) {
    Operation operation = new Operation(method, arguments, attempts);
    operation.attempt();
    return operation.result;
  }

  /** An operation and its attempts, which follow one another. */
  private final class Operation {
    private final Method method;
    private final Object[] arguments;
    private final Attempts attempts;
    private final CompletableFuture<@Nullable Object> result = new CompletableFuture<>();

    Operation(Method method, Object[] arguments, Attempts attempts) {
      this.method = method;
      this.arguments = arguments;
      this.attempts = attempts;
    }

    void attempt() {
      Lease lease = attempts.next();
      CompletableFuture<?> sent = send(lease.gateway.index);
      CompletableFuture<Object> unused =
          result.whenComplete(
              (value, failure) -> {
                if (result.isCancelled()) {
                  sent.cancel(true);
                }
              });
      CompletableFuture<?> unusedToo =
          sent.whenComplete(
              (value, failure) -> {
                Throwable error = failure == null ? Answers.wrong(lease.gateway, value) : failure;
                if (error == null) {
                  succeeded(lease, value);
                } else {
                  failed(lease, error);
                }
              });
    }

    private CompletableFuture<?> send(int index) {
      try {
        // All that take a request give a future.
        return (CompletableFuture<?>) Objects.requireNonNull(call(method, index, arguments));
      } catch (Throwable e) {
        CompletableFuture<?> failed = new CompletableFuture<>();
        failed.completeExceptionally(e);
        return failed;
      }
    }

    private void succeeded(Lease lease, @Nullable Object value) {
      lease.answered();
      if (value instanceof ResponseInputStream<?>) {
        ResponseInputStream<?> stream = (ResponseInputStream<?>) value;
        if (!result.complete(lease.over(stream, new Watch(Duration.ZERO)))) {
          stream.abort();
          lease.end();
        }
        return;
      }
      lease.end();
      result.complete(value);
    }

    private void failed(Lease lease, Throwable failure) {
      Throwable cause =
          failure instanceof CompletionException && failure.getCause() != null
              ? failure.getCause()
              : failure;
      OptionalLong pause = attempts.failed(lease, cause);
      if (!pause.isPresent() || result.isDone()) {
        result.completeExceptionally(attempts.verdict(cause));
      } else if (pause.getAsLong() == 0) {
        attempt();
      } else {
        Future<?> unused =
            Later.after(
                Duration.ofMillis(pause.getAsLong()),
                () -> ForkJoinPool.commonPool().execute(this::attempt));
      }
    }
  }
}
