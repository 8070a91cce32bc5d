// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import static io.temptier.cli.s3a.doctor.BucketSettings.put;

import io.temptier.cli.doctor.LocatedProperties;
import io.temptier.s3a.profile.Settings;
import io.temptier.s3a.profile.UploadBufferRequest;
import io.temptier.s3a.profile.Workload;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.Immutable;
import io.temptier.tier.NearestName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What S3A's settings show by themselves. */
final class SettingsChecks {
  private static final Set<String> OBSOLETE =
      Immutable.setOf("fs.s3a.fast.upload", "fs.s3a.prefetch.enabled", "fs.s3a.metadatastore.impl");
  private static final String CONNECTIONS = "fs.s3a.connection.maximum";
  private static final String THREADS = "fs.s3a.threads.max";
  private static final int DEFAULT_CONNECTIONS = 500;
  private static final int DEFAULT_THREADS = 96;
  private static final long LEAST_READAHEAD = 64L << 10;
  private static final long MOST_READAHEAD = 1L << 20;

  /** S3A raises what is below, but for the time of an upload. */
  private static final long LEAST_TIMEOUT_MILLIS = 15_000;

  private SettingsChecks() {}

  /** Whether secrets lie open. */
  static List<Finding> openSecrets(BucketSettings settings) {
    List<Finding> findings = new ArrayList<>();
    for (LocatedProperties file : settings.rollout().files()) {
      Stream.of(S3aKey.ACCESS_KEY, S3aKey.SECRET_KEY, S3aKey.SESSION_TOKEN)
          .filter(key -> !file.of(key).isEmpty() && openToAll(file))
          .findFirst()
          .map(key -> open(settings, key, file))
          .ifPresent(findings::addAll);
    }
    return findings;
  }

  private static List<Finding> open(BucketSettings settings, String key, LocatedProperties file) {
    return settings.finding(
        Severity.WARNING,
        key,
        "Every user of this machine can read the keys in " + file.path() + ".",
        String.format(
            "Put them into a credential store (hadoop credential create %s), name it in"
                + " hadoop.security.credential.provider.path, and take them out of the file.",
            key));
  }

  private static boolean openToAll(LocatedProperties file) {
    try {
      return Files.getPosixFilePermissions(file.path()).contains(PosixFilePermission.OTHERS_READ);
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** Whether S3A reads what is set. */
  static List<Finding> unread(BucketSettings settings) {
    Set<String> known =
        BucketSettings.hadoop().map(version -> version.keys().keySet()).orElse(Immutable.setOf());
    List<Finding> findings = new ArrayList<>();
    for (String key : known.isEmpty() ? Immutable.<String>setOf() : settings.rollout().keys()) {
      if (OBSOLETE.contains(key)) {
        String consequence =
            key.equals("fs.s3a.prefetch.enabled")
                ? "Deprecated. true overrides fs.s3a.input.stream.type with the prefetch stream."
                : "Obsolete: it has no effect.";
        findings.addAll(settings.finding(Severity.INFO, key, consequence, "Take it out."));
      } else if (key.startsWith("fs.s3a.")
          && !key.startsWith("fs.s3a.bucket.")
          && !known.contains(key)) {
        findings.addAll(
            settings.finding(
                Severity.INFO,
                key,
                "Nothing in this Hadoop's S3A reads it.",
                NearestName.of(key, known)
                    .map(name -> "Did you mean " + name + "?")
                    .orElse("Take it out, or look at its name.")));
      }
    }
    return findings;
  }

  /** Whether the stream that reads has a use for the policy and the readahead that are set. */
  static List<Finding> stream(BucketSettings settings) {
    String unheard =
        Stream.of(S3aKey.FADVISE, S3aKey.READAHEAD)
            .filter(settings::isSet)
            .collect(Collectors.joining(" and "));
    return !settings.stream().equals("analytics")
        ? Immutable.listOf()
        : unheard.isEmpty()
            ? Troubles.about("stream.analytics", settings)
            : Troubles.about("stream.unheard", settings, unheard);
  }

  /** Whether the readahead is within what the profiles set. Other streams have no use for it. */
  static List<Finding> readahead(BucketSettings settings) {
    String key = S3aKey.READAHEAD;
    long bytes = settings.conf().getLongBytes(key, LEAST_READAHEAD);
    String policy = settings.value(S3aKey.FADVISE);
    boolean sequential = policy.equals("sequential");
    boolean within = bytes >= LEAST_READAHEAD && (bytes <= MOST_READAHEAD || sequential);
    if (within || !settings.stream().equals(S3aKey.CLASSIC)) {
      return Immutable.listOf();
    }
    Workload like =
        sequential ? Workload.SCAN : policy.equals("random") ? Workload.COLUMNAR : Workload.MIXED;
    return Troubles.about(
        bytes < LEAST_READAHEAD ? "readahead.small" : "readahead.large", settings, like);
  }

  /** Whether S3A waits as long as it is told to. */
  static List<Finding> timeouts(BucketSettings settings) {
    List<Finding> findings = new ArrayList<>();
    for (String key :
        Immutable.listOf(
            S3aKey.CONNECT_TIMEOUT,
            S3aKey.TIMEOUT,
            S3aKey.REQUEST_TIMEOUT,
            S3aKey.POOL_TIMEOUT,
            S3aKey.PART_TIMEOUT)) {
      boolean part = key.equals(S3aKey.PART_TIMEOUT);
      String remedy = put(key, part ? partTimeout(settings) : "15s");
      try {
        long millis = settings.conf().getTimeDuration(key, 0, TimeUnit.MILLISECONDS);
        if (settings.isSet(key) && millis > 0 && millis < LEAST_TIMEOUT_MILLIS) {
          findings.addAll(
              settings.finding(
                  Severity.WARNING,
                  key,
                  (part ? "An upload that takes longer fails." : "S3A takes 15 s, its least.")
                      + " A number without a unit is milliseconds.",
                  remedy));
        }
      } catch (NumberFormatException e) {
        findings.addAll(
            settings.finding(Severity.ERROR, key, "This is no time: no s3a path opens.", remedy));
      }
    }
    return findings;
  }

  /** How long a profile gives an upload of parts of this size. */
  static String partTimeout(BucketSettings settings) {
    try {
      return Settings.partUpload(
          settings.conf().getLongBytes(S3aKey.PART_SIZE, UploadBufferRequest.DEFAULT_PART_BYTES));
    } catch (IllegalArgumentException e) {
      // Said by the check of that property.
      return Settings.partUpload(UploadBufferRequest.DEFAULT_PART_BYTES);
    }
  }

  /** Whether each thread that talks to the store can have a connection. */
  static List<Finding> pool(BucketSettings settings) {
    int connections = settings.conf().getInt(CONNECTIONS, DEFAULT_CONNECTIONS);
    int threads = settings.conf().getInt(THREADS, DEFAULT_THREADS);
    if (connections > threads) {
      return Immutable.listOf();
    }
    return settings.finding(
        Severity.WARNING,
        CONNECTIONS,
        ("There are " + threads + " threads (" + THREADS + ")")
            + " and open streams hold connections too: requests wait for one, and fail with"
            + " \"Timeout waiting for connection from pool\".",
        put(CONNECTIONS, String.valueOf(Math.max(DEFAULT_CONNECTIONS, 2 * threads))));
  }

  /** The signer, where nothing may be written to try it. */
  static List<Finding> signer(BucketSettings settings) {
    boolean set =
        !settings.value(S3aKey.SIGNER).isEmpty() || !settings.value(S3aKey.ANY_SIGNER).isEmpty();
    return settings.isAmazon() || set
        ? Immutable.listOf()
        : Troubles.about("signer.untried", settings);
  }
}
