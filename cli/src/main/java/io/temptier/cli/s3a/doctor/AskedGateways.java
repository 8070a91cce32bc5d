// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What gateways answered, or why they did not. */
record AskedGateways<T>(Map<String, T> answers, Map<String, Throwable> failures) {
  /** What each gateway is asked. */
  interface Question<T> {
    T ask(String gateway) throws Exception;
  }

  /** Asks all at the same time. Who has not answered by the end of {@code patience} has failed. */
  static <T> AskedGateways<T> ask(
      Collection<String> gateways, Question<T> question, Duration patience)
      throws InterruptedException {
    Map<String, FutureTask<T>> asked = new LinkedHashMap<>();
    for (String gateway : gateways) {
      asked.put(gateway, Deadline.begin("ask " + gateway, () -> question.ask(gateway)));
    }
    long end = System.nanoTime() + patience.toNanos();
    AskedGateways<T> all = new AskedGateways<>(new LinkedHashMap<>(), new LinkedHashMap<>());
    for (Map.Entry<String, FutureTask<T>> each : asked.entrySet()) {
      try {
        long left = Math.max(0, end - System.nanoTime());
        all.answers.put(each.getKey(), each.getValue().get(left, TimeUnit.NANOSECONDS));
      } catch (TimeoutException e) {
        all.failures.put(
            each.getKey(), new IOException("timed out after " + patience.toSeconds() + " s", e));
      } catch (ExecutionException e) {
        all.failures.put(each.getKey(), e.getCause() == null ? e : e.getCause());
      }
    }
    return all;
  }

  /** Throws why the first does not answer, where none does. */
  void throwIfNoneAnswers() throws IOException {
    if (answers.isEmpty()) {
      for (Throwable why : failures.values()) {
        throw new IOException(String.valueOf(why.getMessage()), why);
      }
    }
  }
}
