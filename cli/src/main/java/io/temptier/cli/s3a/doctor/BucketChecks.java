// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.Immutable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.ExpirationStatus;
import software.amazon.awssdk.services.s3.model.LifecycleRule;
import software.amazon.awssdk.services.s3.model.ListObjectVersionsResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.NoSuchUploadException;
import software.amazon.awssdk.services.s3.model.ObjectLockConfiguration;

/** The bucket's own rules, and what it keeps besides its files. Asks what may be asked. */
final class BucketChecks {
  private static final String NOT_TOLD = "bucket.untold";
  private static final Duration STALE = Duration.ofDays(1);
  private static final int MOST = 10_000;
  private static final int FORBIDDEN = 403;

  /** What a store says that has no such thing, or none set. */
  private static final Set<Integer> NONE = Immutable.setOf(404, 405, 501);

  private BucketChecks() {}

  /** A question that some users may not ask, and some stores do not know. */
  private interface Question {
    List<Finding> ask(S3Client store, String bucket);
  }

  /** What was asked of one bucket, and what these keys were not told. */
  private static final class Asking {
    private final BucketSettings settings;
    private final S3Client store;
    private final List<Finding> findings = new ArrayList<>();
    private final List<String> untold = new ArrayList<>();

    Asking(StoreSession session) throws IOException {
      settings = session.settings();
      store = session.client();
    }

    Asking ask(String what, Question question) {
      try {
        findings.addAll(question.ask(store, settings.bucket()));
      } catch (AwsServiceException e) {
        if (e.statusCode() == FORBIDDEN) {
          untold.add(what);
        } else if (!NONE.contains(e.statusCode())) {
          throw e;
        }
      }
      return this;
    }

    List<Finding> findings() {
      if (!untold.isEmpty()) {
        findings.addAll(Troubles.named(NOT_TOLD, settings, String.join(", ", untold)));
      }
      return findings;
    }
  }

  /** Versions, lifecycle, object lock, policy, zonegroup, quota. */
  static List<Finding> rules(StoreSession session) throws IOException {
    BucketSettings settings = session.settings();
    return new Asking(session)
        .ask("versioning", (store, bucket) -> versioning(settings, store, bucket))
        .ask("lifecycle", (store, bucket) -> lifecycle(settings, store, bucket))
        .ask("object lock", (store, bucket) -> lock(settings, store, bucket))
        .ask("policy", (store, bucket) -> policy(settings, store, bucket))
        .ask(
            "zonegroup",
            (store, bucket) -> {
              // Another's answers with a 301, which the table of troubles knows.
              Object unused = store.getBucketLocation(it -> it.bucket(bucket));
              return Immutable.listOf();
            })
        .ask("quota", (store, bucket) -> quota(settings, store, bucket))
        .findings();
  }

  private static List<Finding> versioning(BucketSettings settings, S3Client store, String bucket) {
    @Nullable BucketVersioningStatus status =
        store.getBucketVersioning(it -> it.bucket(bucket)).status();
    if (status == BucketVersioningStatus.ENABLED) {
      return Troubles.named("versioning.on", settings, "Enabled");
    }
    if (status != BucketVersioningStatus.SUSPENDED) {
      return Immutable.listOf();
    }
    ListObjectVersionsResponse some = store.listObjectVersions(it -> it.bucket(bucket));
    long old =
        some.versions().stream().filter(it -> !Boolean.TRUE.equals(it.isLatest())).count()
            + some.deleteMarkers().size();
    String more = Boolean.TRUE.equals(some.isTruncated()) ? " or more" : "";
    return old == 0
        ? Immutable.listOf()
        : Troubles.named("versioning.old", settings, "Suspended, with " + old + more + " old");
  }

  /** What expires below the path, and whether anything aborts uploads there. */
  private static List<Finding> lifecycle(BucketSettings settings, S3Client store, String bucket) {
    String path = settings.path().substring(1);
    List<LifecycleRule> rules = new ArrayList<>();
    try {
      rules.addAll(store.getBucketLifecycleConfiguration(it -> it.bucket(bucket)).rules());
    } catch (AwsServiceException e) {
      if (e.statusCode() != 404) {
        throw e;
      }
    }
    rules.removeIf(rule -> rule.status() != ExpirationStatus.ENABLED || !meets(prefix(rule), path));
    List<Finding> findings = new ArrayList<>();
    for (LifecycleRule rule : rules) {
      if (rule.expiration() != null
          && (rule.expiration().days() != null || rule.expiration().date() != null)) {
        String when =
            rule.expiration().days() == null
                ? "on " + rule.expiration().date()
                : "after " + rule.expiration().days() + " days";
        findings.addAll(
            Troubles.named("lifecycle.expires", settings, prefix(rule) + "* " + when, when));
      }
    }
    if (rules.stream().noneMatch(rule -> rule.abortIncompleteMultipartUpload() != null)) {
      findings.addAll(Troubles.named("lifecycle.aborts", settings, "no rule aborts uploads"));
    }
    return findings;
  }

  private static boolean meets(String prefix, String path) {
    return prefix.startsWith(path) || path.startsWith(prefix);
  }

  @SuppressWarnings("deprecation") // As older tools set it.
  private static String prefix(LifecycleRule rule) {
    String own = rule.filter() == null ? rule.prefix() : rule.filter().prefix();
    return own == null ? "" : own;
  }

  private static List<Finding> lock(BucketSettings settings, S3Client store, String bucket) {
    ObjectLockConfiguration lock =
        store.getObjectLockConfiguration(it -> it.bucket(bucket)).objectLockConfiguration();
    if (lock == null || lock.objectLockEnabled() == null) {
      return Immutable.listOf();
    }
    boolean retains = lock.rule() != null && lock.rule().defaultRetention() != null;
    return Troubles.named(
        "lock",
        settings,
        retains ? String.valueOf(lock.rule().defaultRetention()) : "enabled, nothing by default");
  }

  private static List<Finding> policy(BucketSettings settings, S3Client store, String bucket) {
    String policy = String.valueOf(store.getBucketPolicy(it -> it.bucket(bucket)).policy());
    return policy.replaceAll("\\s", "").contains("\"Effect\":\"Deny\"")
        ? Troubles.named("policy.denies", settings, policy.replaceAll("\\s+", " "))
        : Immutable.listOf();
  }

  /** Ceph's gateway tells it with the bucket's head, where one is set. */
  private static List<Finding> quota(BucketSettings settings, S3Client store, String bucket) {
    String quotas =
        store.headBucket(it -> it.bucket(bucket)).sdkHttpResponse().headers().entrySet().stream()
            .filter(
                it -> it.getKey().toLowerCase(Locale.ROOT).matches("x-rgw-quota-(user|bucket)-.*"))
            .filter(it -> !it.getValue().contains("-1"))
            .map(it -> it.getKey().substring("x-rgw-".length()) + " " + it.getValue().get(0))
            .sorted()
            .collect(Collectors.joining(", "));
    return quotas.isEmpty() ? Immutable.listOf() : Troubles.named("quota.set", settings, quotas);
  }

  /**
   * Lists the uploads that nobody has completed yet, and gives up those of that age, if any is
   * given.
   */
  static List<Finding> uploads(StoreSession session, Optional<Duration> abort) throws IOException {
    return new Asking(session)
        .ask(
            "open uploads",
            (store, bucket) -> {
              List<MultipartUpload> open =
                  store.listMultipartUploadsPaginator(it -> it.bucket(bucket)).uploads().stream()
                      .limit(MOST)
                      .collect(Collectors.toCollection(ArrayList::new));
              int all = open.size();
              abort.ifPresent(
                  age -> open.removeIf(it -> isOlder(it, age) && abort(store, bucket, it)));
              return all == 0
                  ? Immutable.listOf()
                  : Immutable.listOf(uploads(session.settings(), open, all));
            })
        .findings();
  }

  private static boolean isOlder(MultipartUpload upload, Duration age) {
    return upload.initiated().isBefore(Instant.now().minus(age));
  }

  private static boolean abort(S3Client store, String bucket, MultipartUpload upload) {
    try {
      Object unused =
          store.abortMultipartUpload(
              it -> it.bucket(bucket).key(upload.key()).uploadId(upload.uploadId()));
      return true;
    } catch (NoSuchUploadException e) {
      // Somebody has just completed it.
      return false;
    }
  }

  private static Finding uploads(BucketSettings settings, List<MultipartUpload> open, int all) {
    Optional<Instant> oldest =
        open.stream().map(MultipartUpload::initiated).min(Comparator.naturalOrder());
    boolean stale = open.stream().anyMatch(upload -> isOlder(upload, STALE));
    Finding told =
        Troubles.named(
                "uploads",
                settings,
                all
                    + (all == MOST ? " or more" : "")
                    + " not completed"
                    + oldest.map(since -> " since " + since).orElse("")
                    + (open.size() < all
                        ? ", " + (all - open.size()) + " of them aborted now"
                        : ""))
            .get(0);
    return Finding.of(
        stale ? Severity.WARNING : Severity.INFO,
        told.key(),
        told.value(),
        told.origin(),
        told.consequence(),
        told.remedy());
  }
}
