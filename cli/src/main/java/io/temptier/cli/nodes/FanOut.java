// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.nodes;

import io.temptier.tier.os.thread.Later;
import io.temptier.tier.os.thread.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;

/**
 * Asks many nodes the same, so many at a time, each within a deadline. One that hangs costs its
 * place until the deadline only: the thread that waits for it is left behind, and ends with the
 * connection or the process.
 */
public final class FanOut {
  /** Enough for a cluster of a thousand in some seconds, and not too much for a laptop. */
  private static final int PARALLEL = 256;

  private static final Executor THREADS = work -> Threads.run("asks a node", work);

  private final WebOptions web;
  private final Duration patience;
  private final String daemon;

  /**
   * A fan-out.
   *
   * @param patience how long each node may take for all it is asked
   * @param daemon what they are, for people
   */
  FanOut(WebOptions web, Duration patience, String daemon) {
    this.web = web;
    this.patience = patience;
    this.daemon = daemon;
  }

  /** What is asked. */
  @FunctionalInterface
  public interface Query<T> {
    T ask(JmxClient node) throws NodeFailure;
  }

  /** What comes of it. */
  public final class Result<T> {
    private final JmxUrl url;
    private final CompletableFuture<T> answer;

    private Result(JmxUrl url, CompletableFuture<T> answer) {
      this.url = url;
      this.answer = answer;
    }

    public JmxUrl url() {
      return url;
    }

    /** Waits for it. */
    public T orThrow() throws NodeFailure {
      try {
        return answer.join();
      } catch (CompletionException e) {
        Throwable cause = e.getCause();
        if (cause instanceof NodeFailure) {
          throw (NodeFailure) cause;
        }
        if (cause instanceof TimeoutException) {
          throw JmxClient.noAnswer(daemon, url, patience, cause);
        }
        // What a node says may be anything, and must not end the round.
        String nonsense = "answers nonsense: " + cause;
        throw new NodeFailure(nonsense, url + " " + nonsense, cause);
      }
    }
  }

  /** Asks all; there is an answer for each, in their order. */
  public <T> List<Result<T>> ask(List<JmxUrl> nodes, Query<T> question)
      throws InterruptedException {
    Semaphore places = new Semaphore(PARALLEL);
    List<Result<T>> answers = new ArrayList<>();
    for (JmxUrl node : nodes) {
      places.acquire();
      CompletableFuture<T> answer =
          Later.orTimeout(
              CompletableFuture.supplyAsync(() -> answer(node, question), THREADS), patience);
      answers.add(new Result<>(node, answer.whenComplete((any, failure) -> places.release())));
    }
    return answers;
  }

  private <T> T answer(JmxUrl node, Query<T> question) {
    try {
      return question.ask(new JmxClient(web, node, patience));
    } catch (NodeFailure e) {
      throw new CompletionException(e);
    }
  }
}
