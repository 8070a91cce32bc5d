// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.nodes;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.thread.Later;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks many nodes the same, so many at a time, each within a deadline. One that hangs costs its
 * place until the deadline only: the thread that waits for it is left behind, and ends with the
 * connection or the process.
 */
public final class FanOut {
  /** What is asked. */
  @FunctionalInterface
  public interface Query<T> {
    T ask(JmxClient node) throws NodeFailure;
  }

  /** What came of it: one of the two. */
  @AutoValue
  public abstract static class Result<T> {
    public abstract JmxUrl url();

    public abstract @Nullable T value();

    public abstract @Nullable NodeFailure failure();

    public static <T> Result<T> of(JmxUrl url, @Nullable T value, @Nullable NodeFailure failure) {
      return new AutoValue_FanOut_Result<>(url, value, failure);
    }

    public T orThrow() throws NodeFailure {
      if (value() == null) {
        throw failure() == null
            ? new NodeFailure("no answer", url() + " gave no answer", null)
            : failure();
      }
      return value();
    }
  }

  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "asks a node");
            thread.setDaemon(true);
            return thread;
          });

  private final WebClient web;
  private final Duration patience;
  private final int parallel;
  private final String daemon;

  /**
   * A fan-out.
   *
   * @param patience how long each node may take for all it is asked
   * @param parallel nodes that are asked at a time
   * @param daemon what they are, for people
   */
  FanOut(WebClient web, Duration patience, int parallel, String daemon) {
    this.web = web;
    this.patience = patience;
    this.parallel = parallel;
    this.daemon = daemon;
  }

  public <T> T ask(JmxUrl node, Query<T> question) throws NodeFailure, InterruptedException {
    return ask(Immutable.listOf(node), question).get(0).orThrow();
  }

  /** Asks all; there is an answer for each, in their order. */
  public <T> List<Result<T>> ask(List<JmxUrl> nodes, Query<T> question)
      throws InterruptedException {
    Semaphore places = new Semaphore(parallel);
    List<CompletableFuture<Result<T>>> answers = new ArrayList<>();
    for (JmxUrl node : nodes) {
      places.acquire();
      answers.add(start(node, question).whenComplete((answer, failure) -> places.release()));
    }
    return answers.stream().map(CompletableFuture::join).collect(Immutable.toList());
  }

  private <T> CompletableFuture<Result<T>> start(JmxUrl node, Query<T> question) {
    return Later.orTimeout(
            CompletableFuture.supplyAsync(() -> answer(node, question), THREADS), patience)
        .exceptionally(failure -> Result.of(node, null, failed(node, failure)));
  }

  private <T> Result<T> answer(JmxUrl node, Query<T> question) {
    try {
      return Result.of(node, question.ask(new JmxClient(web, node, patience)), null);
    } catch (NodeFailure e) {
      return Result.of(node, null, e);
    }
  }

  private NodeFailure failed(JmxUrl node, Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof TimeoutException) {
      String why = "no answer within " + JmxClient.seconds(patience);
      return JmxClient.noAnswer(daemon, node, why, cause);
    }
    // What a node says may be anything, and must not end the round.
    return new NodeFailure(
        "answers nonsense: " + cause, node + " answers nonsense: " + cause, cause);
  }
}
