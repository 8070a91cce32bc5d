// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import com.google.auto.value.AutoValue;
import io.temptier.cli.Deadline;
import io.temptier.s3a.endpoint.EndpointKey;
import io.temptier.s3a.endpoint.EndpointSettings;
import io.temptier.s3a.profile.Settings;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.Immutable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;

/**
 * Whether gateways answer, what time they have, and whether they lead to the bucket. And whether
 * spreading requests over several of them is set up.
 */
final class GatewayChecks {
  private static final Duration SKEW = Duration.ofSeconds(60);
  private static final Duration EXPIRES = Duration.ofDays(30);

  private GatewayChecks() {}

  /**
   * Whether S3 answers at the endpoint, by a plain request. Of several gateways one that answers is
   * enough: the rest of the examination goes through those.
   */
  static List<Finding> answers(StoreSession session) throws Exception {
    BucketSettings settings = session.settings();
    if (settings.isAmazon()) {
      return Immutable.listOf();
    }
    AskedGateways<PlainRequest.Answer> asked =
        AskedGateways.ask(
            session.gateways(),
            gateway -> PlainRequest.send(settings, gateway),
            session.patience());
    asked.throwIfNoneAnswers();
    session.goThrough(asked.answers().keySet());
    List<Finding> findings = new ArrayList<>();
    asked.failures().forEach((gateway, why) -> findings.add(lost(settings, gateway, why)));
    Map<String, PlainRequest.Answer> answers = asked.answers();
    answers.values().stream()
        .flatMap(answer -> answer.ahead().map(Stream::of).orElseGet(Stream::empty))
        .reduce((one, other) -> one.abs().compareTo(other.abs()) >= 0 ? one : other)
        .ifPresent(ahead -> findings.addAll(clocks(settings, ahead)));
    answers.forEach(
        (gateway, answer) ->
            answer
                .certificate()
                .ifPresent(shown -> findings.addAll(expiry(settings, gateway, shown))));
    return findings;
  }

  /** Whether the bucket is there, and these keys may list it, by each gateway that answers. */
  static List<Finding> list(StoreSession session) throws Exception {
    List<String> gateways = session.gateways();
    if (gateways.size() < 2) {
      return listed(session, session.fs());
    }
    AskedGateways<List<Finding>> asked =
        AskedGateways.ask(
            gateways,
            gateway -> {
              try (FileSystem through = session.with(StoreSession.by(Immutable.listOf(gateway)))) {
                return listed(session, through);
              }
            },
            session.patience());
    asked.throwIfNoneAnswers();
    session.goThrough(asked.answers().keySet());
    List<Finding> findings = new ArrayList<>(asked.answers().values().iterator().next());
    asked
        .failures()
        .forEach((gateway, why) -> findings.add(lost(session.settings(), gateway, why)));
    return findings;
  }

  private static List<Finding> listed(StoreSession session, FileSystem through) throws IOException {
    try {
      boolean unused = through.listStatusIterator(session.root()).hasNext();
      return Immutable.listOf();
    } catch (FileNotFoundException e) {
      if (!Failure.of(e).code().isEmpty()) {
        throw e;
      }
      return Troubles.named("path.none", session.settings(), session.settings().path());
    }
  }

  /** A gateway that says something wrong harms more than one that says nothing. */
  private static Finding lost(BucketSettings settings, String gateway, Throwable why) {
    Failure failure = Failure.of(why);
    boolean absent =
        Troubles.of("list", failure, settings).map(Troubles.Trouble::isNoAnswer).orElse(false);
    return Troubles.named(
            absent ? "gateway.absent" : "gateway.foreign", settings, gateway, failure.said())
        .get(0);
  }

  /** How far this machine's clock is ahead of the store's. Only a refusal makes an error of it. */
  static List<Finding> clocks(BucketSettings settings, Duration ahead) {
    return ahead.abs().compareTo(SKEW) <= 0
        ? Immutable.listOf()
        : Troubles.named(
            "clock.off",
            settings,
            ahead.abs().getSeconds()
                + (ahead.isNegative() ? " s behind" : " s ahead of")
                + " the store");
  }

  private static List<Finding> expiry(
      BucketSettings settings, String gateway, X509Certificate certificate) {
    return Instant.now().plus(EXPIRES).isBefore(certificate.getNotAfter().toInstant())
        ? Immutable.listOf()
        : Troubles.named(
            "certificate.ends", settings, PlainRequest.text(certificate) + ", at " + gateway);
  }

  /** Whether spreading over gateways is set up as it is meant. Asks none of them. */
  static List<Finding> spreading(BucketSettings settings) {
    List<Finding> findings = new ArrayList<>();
    EndpointSettings.unknownKeys(settings.conf())
        .forEach(
            (key, remedy) ->
                findings.addAll(
                    settings.finding(Severity.WARNING, key, "There is no such property.", remedy)));
    boolean ours = settings.value(Settings.FACTORY).equals(Settings.OURS);
    if (!ours && settings.value(EndpointKey.ENDPOINTS.key()).isEmpty()) {
      return findings;
    }
    try {
      if (ours && !EndpointSettings.of(settings.conf()).spreads()) {
        findings.addAll(Troubles.about("gateways.one", settings));
      }
    } catch (IllegalArgumentException e) {
      findings.add(unusable(settings, ours, String.valueOf(e.getMessage())));
    }
    return findings;
  }

  private static Finding unusable(BucketSettings settings, boolean ours, String why) {
    String key =
        EndpointKey.names().stream()
            .filter(name -> why.startsWith(name + " = "))
            .findFirst()
            .orElse(EndpointKey.ENDPOINTS.key());
    String value = settings.value(key);
    return Finding.of(
        ours ? Severity.ERROR : Severity.WARNING,
        key,
        value.indexOf('@') < 0 ? value : "(not shown: it may hold a password)",
        settings.origin(key),
        (ours ? "No s3a path opens: " : "With TempTier's factory no s3a path would open: ") + why,
        "Mend the value, or take it out.");
  }

  /** What gateways answered, or why they did not. */
  @AutoValue
  abstract static class AskedGateways<T> {
    abstract Map<String, T> answers();

    abstract Map<String, Throwable> failures();

    static <T> AskedGateways<T> of(Map<String, T> answers, Map<String, Throwable> failures) {
      return new AutoValue_GatewayChecks_AskedGateways<>(answers, failures);
    }

    /** What each gateway is asked. */
    interface Question<T> {
      T ask(String gateway) throws Exception;
    }

    /**
     * Asks all at the same time. Who has not answered by the end of {@code patience} has failed.
     */
    static <T> AskedGateways<T> ask(
        Collection<String> gateways, Question<T> question, Duration patience)
        throws InterruptedException {
      Map<String, FutureTask<T>> asked = new LinkedHashMap<>();
      for (String gateway : gateways) {
        asked.put(gateway, Deadline.begin("ask " + gateway, () -> question.ask(gateway)));
      }
      long end = System.nanoTime() + patience.toNanos();
      AskedGateways<T> all = AskedGateways.of(new LinkedHashMap<>(), new LinkedHashMap<>());
      for (Map.Entry<String, FutureTask<T>> each : asked.entrySet()) {
        try {
          long left = Math.max(0, end - System.nanoTime());
          all.answers().put(each.getKey(), each.getValue().get(left, TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
          all.failures()
              .put(
                  each.getKey(),
                  new IOException("timed out after " + patience.getSeconds() + " s", e));
        } catch (ExecutionException e) {
          all.failures().put(each.getKey(), e.getCause() == null ? e : e.getCause());
        }
      }
      return all;
    }

    /** Throws why the first does not answer, where none does. */
    void throwIfNoneAnswers() throws IOException {
      if (answers().isEmpty()) {
        for (Throwable why : failures().values()) {
          throw new IOException(String.valueOf(why.getMessage()), why);
        }
      }
    }
  }
}
