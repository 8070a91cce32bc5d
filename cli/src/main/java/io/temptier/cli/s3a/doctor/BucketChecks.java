// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.lang.Immutable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.ExpirationStatus;
import software.amazon.awssdk.services.s3.model.LifecycleExpiration;
import software.amazon.awssdk.services.s3.model.LifecycleRule;
import software.amazon.awssdk.services.s3.model.ListObjectVersionsResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.ObjectLockConfiguration;
import software.amazon.awssdk.services.s3.model.ObjectLockEnabled;
import software.amazon.awssdk.services.s3.model.Owner;

/** The bucket's own rules, and what it keeps besides its files. Asks what may be asked. */
final class BucketChecks {
  private static final Duration STALE = Duration.ofDays(1);
  private static final int MOST = 10_000;
  private static final int NOT_FOUND = 404;
  private static final int FORBIDDEN = 403;

  /** Answers of a store that has no such thing, or none set. */
  private static final Set<Integer> NONE = Immutable.setOf(NOT_FOUND, 405, 501);

  private final StoreSession session;
  private final String bucket;
  private final S3Client store;
  private final List<String> untold = new ArrayList<>();

  private BucketChecks(StoreSession session) throws IOException {
    this.session = session;
    bucket = session.settings.bucket;
    store = session.client();
  }

  /** Versions, lifecycle, object lock, policy, zonegroup. */
  static void rules(StoreSession session) throws IOException {
    BucketChecks checks = new BucketChecks(session);
    checks.ask("s3:GetBucketVersioning", checks::versioning);
    checks.ask("s3:GetLifecycleConfiguration", checks::lifecycle);
    checks.ask("s3:GetBucketObjectLockConfiguration", checks::lock);
    checks.ask("s3:GetBucketPolicy", checks::policy);
    // Another zonegroup's answers with a 301, which the table of troubles knows.
    checks.ask(
        "s3:GetBucketLocation",
        () -> checks.store.getBucketLocation(request -> request.bucket(checks.bucket)));
    checks.tellUntold();
  }

  static void uploads(StoreSession session) throws IOException {
    BucketChecks checks = new BucketChecks(session);
    checks.ask("s3:ListBucketMultipartUploads", checks::openUploads);
    checks.tellUntold();
  }

  /** True if Ceph takes what S3A has signed for a request without keys. */
  static boolean isStranger(StoreSession session) throws IOException {
    try {
      @Nullable Owner user = session.client().listBuckets().owner();
      return user != null && "anonymous".equals(user.id());
    } catch (AwsServiceException e) {
      return false;
    }
  }

  /** Asks what some users may not ask, by the right to it, and some stores do not know. */
  private void ask(String right, Runnable question) {
    try {
      question.run();
    } catch (AwsServiceException e) {
      if (e.statusCode() == FORBIDDEN) {
        untold.add(right);
      } else if (!NONE.contains(e.statusCode())) {
        throw e;
      }
    }
  }

  private void tellUntold() {
    if (!untold.isEmpty()) {
      session.saw("bucket.untold", String.join(", ", untold));
    }
  }

  private void versioning() {
    @Nullable BucketVersioningStatus status =
        store.getBucketVersioning(request -> request.bucket(bucket)).status();
    if (status == BucketVersioningStatus.ENABLED) {
      session.saw("versioning.on", "Enabled");
    } else if (status == BucketVersioningStatus.SUSPENDED) {
      ListObjectVersionsResponse page = store.listObjectVersions(request -> request.bucket(bucket));
      long old =
          page.versions().stream()
                  .filter(version -> !Boolean.TRUE.equals(version.isLatest()))
                  .count()
              + page.deleteMarkers().size();
      String more = Boolean.TRUE.equals(page.isTruncated()) ? " or more" : "";
      if (old > 0) {
        session.saw("versioning.old", "Suspended, with " + old + more + " old");
      }
    }
  }

  /** Looks for rules that expire objects below the path, and for one that aborts uploads there. */
  private void lifecycle() {
    String path = session.settings.path.substring(1);
    List<LifecycleRule> rules = new ArrayList<>();
    try {
      rules.addAll(
          store.getBucketLifecycleConfiguration(request -> request.bucket(bucket)).rules());
    } catch (AwsServiceException e) {
      if (e.statusCode() != NOT_FOUND) {
        throw e;
      }
    }
    rules.removeIf(
        rule ->
            rule.status() != ExpirationStatus.ENABLED
                || !(prefix(rule).startsWith(path) || path.startsWith(prefix(rule))));
    for (LifecycleRule rule : rules) {
      LifecycleExpiration end = rule.expiration();
      if (end != null && (end.days() != null || end.date() != null)) {
        String when = end.days() == null ? "on " + end.date() : "after " + end.days() + " days";
        session.saw("lifecycle.expires", prefix(rule) + "* " + when, when);
      }
    }
    if (rules.stream().noneMatch(rule -> rule.abortIncompleteMultipartUpload() != null)) {
      session.saw("lifecycle.aborts", "no rule aborts uploads");
    }
  }

  @SuppressWarnings("deprecation") // As older tools set it.
  private static String prefix(LifecycleRule rule) {
    String prefix = rule.filter() == null ? rule.prefix() : rule.filter().prefix();
    return prefix == null ? "" : prefix;
  }

  private void lock() {
    ObjectLockConfiguration lock =
        store
            .getObjectLockConfiguration(request -> request.bucket(bucket))
            .objectLockConfiguration();
    // Another store than S3 may answer what it does not know with something else.
    if (lock != null && lock.objectLockEnabled() == ObjectLockEnabled.ENABLED) {
      boolean retains = lock.rule() != null && lock.rule().defaultRetention() != null;
      String rule = retains ? String.valueOf(lock.rule().defaultRetention()) : "nothing by default";
      session.saw("lock", "enabled, " + rule);
    }
  }

  private void policy() {
    String policy =
        String.valueOf(store.getBucketPolicy(request -> request.bucket(bucket)).policy());
    if (policy.replaceAll("\\s", "").contains("\"Effect\":\"Deny\"")) {
      session.saw("policy.denies", policy.replaceAll("\\s+", " "));
    }
  }

  private void openUploads() {
    List<Instant> begun =
        store.listMultipartUploadsPaginator(request -> request.bucket(bucket)).uploads().stream()
            .limit(MOST)
            .map(MultipartUpload::initiated)
            .sorted()
            .collect(Immutable.toList());
    if (!begun.isEmpty()) {
      boolean stale = begun.get(0).isBefore(Instant.now().minus(STALE));
      String all = begun.size() + (begun.size() == MOST ? " or more" : "");
      session.saw(
          stale ? "uploads.stale" : "uploads", all + " not completed since " + begun.get(0));
    }
  }
}
