// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.Deadline;
import io.temptier.cli.s3a.doctor.StoreTroubles.Failure;
import io.temptier.s3a.endpoint.EndpointKey;
import io.temptier.s3a.endpoint.EndpointSettings;
import io.temptier.s3a.profile.Settings;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Finding;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileSystem;

/**
 * Checks that gateways answer, what time they have, whether they lead to the bucket, and whether
 * spreading requests over several of them is set up.
 */
final class GatewayChecks {
  private static final Duration SKEW = Duration.ofSeconds(60);

  private GatewayChecks() {}

  /** Checks by a plain request that S3 answers at the endpoint. */
  static void answers(StoreSession session) throws Exception {
    if (!session.settings.isAmazon()) {
      ask(session, gateway -> PlainRequest.send(session, gateway));
    }
  }

  /** Compares this machine's clock with the store's. Only a refusal makes an error of it. */
  static void clocks(StoreSession session, Duration ahead) {
    if (ahead.abs().compareTo(SKEW) > 0) {
      String where = ahead.isNegative() ? " s behind" : " s ahead of";
      session.saw("clock.off", ahead.abs().getSeconds() + where + " the store");
    }
  }

  /** Checks by each gateway that answers that the bucket is there, and these keys may list it. */
  static void list(StoreSession session) throws Exception {
    if (session.gateways.size() < 2) {
      list(session, session.fs());
    } else {
      ask(
          session,
          gateway -> {
            try (FileSystem through = session.with(StoreSession.by(Immutable.listOf(gateway)))) {
              list(session, through);
            }
          });
    }
  }

  private static void list(StoreSession session, FileSystem through) throws IOException {
    try {
      boolean unused = through.listStatusIterator(session.root()).hasNext();
    } catch (FileNotFoundException e) {
      if (!new Failure(e).code.isEmpty()) {
        throw e;
      }
      session.saw("path.none", session.settings.path);
    } catch (AccessDeniedException e) {
      throw BucketChecks.isStranger(session)
          ? new IOException("the store takes the user for anonymous", e)
          : e;
    }
  }

  private interface Question {
    void ask(String gateway) throws Exception;
  }

  /**
   * Asks all gateways at the same time. Of several one that answers is enough: the rest of the
   * examination goes through those, and the others are found to be lost. Throws why the first does
   * not answer, where none does.
   */
  private static void ask(StoreSession session, Question question) throws Exception {
    Map<String, FutureTask<String>> asked = new LinkedHashMap<>();
    for (String gateway : session.gateways) {
      asked.put(
          gateway,
          Deadline.begin(
              "ask " + gateway,
              () -> {
                question.ask(gateway);
                return gateway;
              }));
    }
    long end = System.nanoTime() + session.patience.toNanos();
    List<String> answered = new ArrayList<>();
    Map<String, Throwable> lost = new LinkedHashMap<>();
    for (Map.Entry<String, FutureTask<String>> each : asked.entrySet()) {
      try {
        long left = Math.max(0, end - System.nanoTime());
        answered.add(each.getValue().get(left, TimeUnit.NANOSECONDS));
      } catch (TimeoutException e) {
        lost.put(each.getKey(), e);
      } catch (ExecutionException e) {
        lost.put(each.getKey(), e.getCause() == null ? e : e.getCause());
      }
    }
    if (answered.isEmpty()) {
      Throwable why = lost.values().iterator().next();
      throw new IOException(String.valueOf(why.getMessage()), why);
    }
    session.goThrough(answered);
    lost.forEach((gateway, why) -> lost(session, gateway, new Failure(why)));
  }

  /** A gateway that says something wrong harms more than one that says nothing. */
  private static void lost(StoreSession session, String gateway, Failure failure) {
    boolean absent =
        StoreTroubles.of("list", failure, session.settings)
            .filter(StoreTroubles.Trouble::isNoAnswer)
            .isPresent();
    session.saw(absent ? "gateway.absent" : "gateway.foreign", gateway, failure.said);
  }

  /** Checks the settings for spreading over gateways. Asks none of them. */
  static void spreading(BucketSettings settings, Consumer<Finding> found) {
    EndpointSettings.unknownKeys(settings.conf)
        .forEach(
            (key, to) -> found.accept(StoreTroubles.at(key, "gateways.unknown", settings, to)));
    boolean spreading = settings.value(Settings.FACTORY).equals(Settings.OURS);
    if (spreading || !settings.value(EndpointKey.ENDPOINTS.key()).isEmpty()) {
      try {
        if (!EndpointSettings.of(settings.conf).spreads() && spreading) {
          found.accept(StoreTroubles.named("gateways.one", settings));
        }
      } catch (IllegalArgumentException e) {
        String why = String.valueOf(e.getMessage());
        String key =
            EndpointKey.names().stream()
                .filter(name -> why.startsWith(name + " = "))
                .findFirst()
                .orElse(EndpointKey.ENDPOINTS.key());
        String row = spreading ? "gateways.unusable" : "gateways.unusable.unread";
        found.accept(StoreTroubles.at(key, row, settings, why));
      }
    }
  }
}
