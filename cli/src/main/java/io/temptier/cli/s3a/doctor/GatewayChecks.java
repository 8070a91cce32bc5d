// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.Deadline;
import io.temptier.cli.s3a.doctor.Troubles.Failure;
import io.temptier.tier.lang.Immutable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.FileSystem;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.s3.model.ExpirationStatus;
import software.amazon.awssdk.services.s3.model.LifecycleExpiration;
import software.amazon.awssdk.services.s3.model.LifecycleRule;

/** Whether gateways answer, and whether they lead to a bucket that keeps what jobs write. */
final class GatewayChecks {
  private static final int FORBIDDEN = 403;

  /** What a store says that has no rules, or none set. */
  private static final Set<Integer> NONE = Immutable.setOf(404, 405, 501);

  private GatewayChecks() {}

  /** Whether S3 answers at the endpoint, by a plain request, which has no user for a proxy. */
  static void answers(StoreSession session) throws Exception {
    BucketSettings settings = session.settings;
    if (!settings.isAmazon() && settings.value("fs.s3a.proxy.username").isEmpty()) {
      ask(session, gateway -> PlainRequest.send(settings, gateway));
    }
  }

  /** Whether the bucket is there, and these keys may list it, by each gateway that answers. */
  static void list(StoreSession session) throws Exception {
    if (session.gateways().size() < 2) {
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
    }
  }

  /** Whether a rule of the bucket deletes what jobs write below the path, if these keys may ask. */
  static void rules(StoreSession session) throws IOException {
    String bucket = session.settings.bucket;
    String path = session.settings.path.substring(1);
    try {
      for (LifecycleRule rule :
          session.client().getBucketLifecycleConfiguration(it -> it.bucket(bucket)).rules()) {
        String prefix = prefix(rule);
        LifecycleExpiration end = rule.expiration();
        if (rule.status() == ExpirationStatus.ENABLED
            && (prefix.startsWith(path) || path.startsWith(prefix))
            && end != null
            && (end.days() != null || end.date() != null)) {
          String when = end.days() == null ? "on " + end.date() : "after " + end.days() + " days";
          session.saw("lifecycle.expires", prefix + "* " + when, when);
        }
      }
    } catch (AwsServiceException e) {
      if (e.statusCode() == FORBIDDEN) {
        session.saw("bucket.untold", "s3:GetLifecycleConfiguration");
      } else if (!NONE.contains(e.statusCode())) {
        throw e;
      }
    }
  }

  @SuppressWarnings("deprecation") // As older tools set it.
  private static String prefix(LifecycleRule rule) {
    String own = rule.filter() == null ? rule.prefix() : rule.filter().prefix();
    return own == null ? "" : own;
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
    for (String gateway : session.gateways()) {
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
        Troubles.of("list", failure, session.settings)
            .filter(Troubles.Trouble::isNoAnswer)
            .isPresent();
    session.saw(absent ? "gateway.absent" : "gateway.foreign", gateway, failure.said);
  }
}
