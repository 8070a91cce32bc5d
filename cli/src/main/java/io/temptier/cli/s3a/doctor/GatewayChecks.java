// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.Deadline;
import io.temptier.cli.s3a.doctor.Troubles.Failure;
import io.temptier.s3a.endpoint.EndpointKey;
import io.temptier.s3a.endpoint.EndpointSettings;
import io.temptier.s3a.profile.Settings;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Finding;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileSystem;

/**
 * Whether gateways answer, what time they have, and whether they lead to the bucket. And whether
 * spreading requests over several of them is set up.
 */
final class GatewayChecks {
  private static final Duration SKEW = Duration.ofSeconds(60);

  private GatewayChecks() {}

  /** Whether S3 answers at the endpoint, by a plain request. */
  static void answers(StoreSession session) throws Exception {
    if (!session.settings.isAmazon()) {
      ask(session, gateway -> PlainRequest.send(session, gateway)).values().stream()
          .map(ahead -> ahead.orElse(Duration.ZERO))
          .max(Comparator.comparing(Duration::abs))
          .ifPresent(ahead -> clocks(session, ahead));
    }
  }

  /** How far this machine's clock is ahead of the store's. Only a refusal makes an error of it. */
  static void clocks(StoreSession session, Duration ahead) {
    if (ahead.abs().compareTo(SKEW) > 0) {
      String where = ahead.isNegative() ? " s behind" : " s ahead of";
      session.saw("clock.off", ahead.abs().getSeconds() + where + " the store");
    }
  }

  /** Whether the bucket is there, and these keys may list it, by each gateway that answers. */
  static void list(StoreSession session) throws Exception {
    boolean there =
        session.gateways().size() < 2
            ? list(session, session.fs())
            : ask(session, gateway -> list(session, gateway)).containsValue(true);
    if (!there) {
      session.saw("path.none", session.settings.path);
    }
  }

  private static boolean list(StoreSession session, String gateway) throws IOException {
    try (FileSystem through = session.with(StoreSession.by(Immutable.listOf(gateway)))) {
      return list(session, through);
    }
  }

  private static boolean list(StoreSession session, FileSystem through) throws IOException {
    try {
      boolean unused = through.listStatusIterator(session.root()).hasNext();
      return true;
    } catch (FileNotFoundException e) {
      if (!new Failure(e).code.isEmpty()) {
        throw e;
      }
      return false;
    } catch (AccessDeniedException e) {
      throw BucketChecks.isStranger(session)
          ? new IOException("the store takes the user for anonymous", e)
          : e;
    }
  }

  private interface Question<T> {
    T ask(String gateway) throws Exception;
  }

  /**
   * Asks all gateways at the same time. Of several one that answers is enough: the rest of the
   * examination goes through those, and the others are found to be lost.
   *
   * @return what was answered, by gateway; at least one
   * @throws IOException why the first does not answer, where none does
   */
  private static <T> Map<String, T> ask(StoreSession session, Question<T> question)
      throws IOException, InterruptedException {
    Map<String, FutureTask<T>> asked = new LinkedHashMap<>();
    for (String gateway : session.gateways()) {
      asked.put(gateway, Deadline.begin("ask " + gateway, () -> question.ask(gateway)));
    }
    long end = System.nanoTime() + session.patience.toNanos();
    Map<String, T> answers = new LinkedHashMap<>();
    Map<String, Throwable> failures = new LinkedHashMap<>();
    for (Map.Entry<String, FutureTask<T>> each : asked.entrySet()) {
      try {
        long left = Math.max(0, end - System.nanoTime());
        answers.put(each.getKey(), each.getValue().get(left, TimeUnit.NANOSECONDS));
      } catch (TimeoutException e) {
        String late = "timed out after " + session.patience.getSeconds() + " s";
        failures.put(each.getKey(), new IOException(late, e));
      } catch (ExecutionException e) {
        failures.put(each.getKey(), e.getCause() == null ? e : e.getCause());
      }
    }
    if (answers.isEmpty()) {
      Throwable why = failures.values().iterator().next();
      throw new IOException(String.valueOf(why.getMessage()), why);
    }
    session.goThrough(answers.keySet());
    failures.forEach((gateway, why) -> lost(session, gateway, new Failure(why)));
    return answers;
  }

  /** A gateway that says something wrong harms more than one that says nothing. */
  private static void lost(StoreSession session, String gateway, Failure failure) {
    boolean absent =
        Troubles.of("list", failure, session.settings)
            .filter(Troubles.Trouble::isNoAnswer)
            .isPresent();
    session.saw(absent ? "gateway.absent" : "gateway.foreign", gateway, failure.said);
  }

  /** Whether spreading over gateways is set up as it is meant. Asks none of them. */
  static void spreading(BucketSettings settings, Consumer<Finding> found) {
    EndpointSettings.unknownKeys(settings.conf)
        .forEach((key, to) -> found.accept(Troubles.at(key, "gateways.unknown", settings, to)));
    boolean ours = settings.value(Settings.FACTORY).equals(Settings.OURS);
    if (ours || !settings.value(EndpointKey.ENDPOINTS.key()).isEmpty()) {
      try {
        if (!EndpointSettings.of(settings.conf).spreads() && ours) {
          found.accept(Troubles.named("gateways.one", settings));
        }
      } catch (IllegalArgumentException e) {
        String why = String.valueOf(e.getMessage());
        String key =
            EndpointKey.names().stream()
                .filter(name -> why.startsWith(name + " = "))
                .findFirst()
                .orElse(EndpointKey.ENDPOINTS.key());
        String row = ours ? "gateways.unusable" : "gateways.unusable.unread";
        found.accept(Troubles.at(key, row, settings, why));
      }
    }
  }
}
