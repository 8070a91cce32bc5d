// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.LocatedProperties;
import io.temptier.s3a.profile.Settings;
import io.temptier.s3a.profile.UploadBufferRequest;
import io.temptier.s3a.profile.Workload;
import io.temptier.tier.Finding;
import io.temptier.tier.NearestName;
import io.temptier.tier.lang.Immutable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What S3A's settings show by themselves, and no row of the table of troubles can say alone. */
final class SettingsChecks {
  private static final String CONNECTIONS = "fs.s3a.connection.maximum";
  private static final int DEFAULT_CONNECTIONS = 500;
  private static final int DEFAULT_THREADS = 96;
  private static final long LEAST_READAHEAD = 64L << 10;
  private static final long MOST_READAHEAD = 1L << 20;

  /** S3A raises what is below, but for the time of an upload. */
  private static final long LEAST_TIMEOUT_MILLIS = 15_000;

  private static final String PART_TIMEOUT = "fs.s3a.connection.part.upload.timeout";

  private SettingsChecks() {}

  /** Whether secrets lie open. */
  static List<Finding> openSecrets(BucketSettings settings) {
    List<Finding> findings = new ArrayList<>();
    for (LocatedProperties file : settings.rollout().files()) {
      S3aKey.SECRETS.stream()
          .filter(key -> !file.of(key).isEmpty() && openToAll(file))
          .findFirst()
          .map(key -> Troubles.at(key, "keys.open", settings, file.path(), key))
          .ifPresent(findings::addAll);
    }
    return findings;
  }

  private static boolean openToAll(LocatedProperties file) {
    try {
      return Files.getPosixFilePermissions(file.path()).contains(PosixFilePermission.OTHERS_READ);
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** Whether S3A reads what is set, where no row has more to say of it. */
  static List<Finding> unread(BucketSettings settings) {
    Set<String> known =
        BucketSettings.hadoop().map(version -> version.keys().keySet()).orElse(Immutable.setOf());
    return settings.rollout().keys().stream()
        .filter(key -> key.startsWith("fs.s3a.") && !key.startsWith("fs.s3a.bucket."))
        .filter(key -> !known.isEmpty() && !known.contains(key))
        .filter(key -> Troubles.all().stream().noneMatch(row -> row.property().equals(key)))
        .flatMap(
            key ->
                Troubles.at(
                    key,
                    "property.unknown",
                    settings,
                    NearestName.of(key, known)
                        .map(name -> "Did you mean " + name + "?")
                        .orElse("Take it out, or look at its name."))
                    .stream())
        .collect(Immutable.toList());
  }

  /** Whether the stream that reads has a use for the policy and the readahead that are set. */
  static List<Finding> stream(BucketSettings settings) {
    String unheard =
        Stream.of(S3aKey.FADVISE, S3aKey.READAHEAD)
            .filter(settings::isSet)
            .collect(Collectors.joining(" and "));
    return settings.stream().equals("analytics")
        ? Troubles.about(
            unheard.isEmpty() ? "stream.analytics" : "stream.unheard", settings, unheard)
        : Immutable.listOf();
  }

  /** Whether the readahead is within what the profiles set. Other streams have no use for it. */
  static List<Finding> readahead(BucketSettings settings) {
    long bytes = settings.conf().getLongBytes(S3aKey.READAHEAD, LEAST_READAHEAD);
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
    Stream.concat(S3aKey.TIMEOUTS.stream(), Stream.of(PART_TIMEOUT))
        .forEach(
            key -> {
              boolean part = key.equals(PART_TIMEOUT);
              String least = part ? Settings.partUpload(partBytes(settings)) : "15s";
              try {
                long millis = settings.conf().getTimeDuration(key, 0, TimeUnit.MILLISECONDS);
                if (settings.isSet(key) && millis > 0 && millis < LEAST_TIMEOUT_MILLIS) {
                  String row = part ? "timeout.part" : "timeout.short";
                  findings.addAll(Troubles.at(key, row, settings, least));
                }
              } catch (NumberFormatException e) {
                findings.addAll(Troubles.at(key, "timeout.none", settings, least));
              }
            });
    return findings;
  }

  /** The size of a part; what is no size counts as the default, and is told elsewhere. */
  static long partBytes(BucketSettings settings) {
    try {
      return settings.conf().getLongBytes(S3aKey.PART_SIZE, UploadBufferRequest.DEFAULT_PART_BYTES);
    } catch (IllegalArgumentException e) {
      return UploadBufferRequest.DEFAULT_PART_BYTES;
    }
  }

  /** Whether each thread that talks to the store can have a connection. */
  static List<Finding> pool(BucketSettings settings) {
    int threads = settings.conf().getInt("fs.s3a.threads.max", DEFAULT_THREADS);
    return settings.conf().getInt(CONNECTIONS, DEFAULT_CONNECTIONS) > threads
        ? Immutable.listOf()
        : Troubles.about(
            "pool.small", settings, threads, Math.max(DEFAULT_CONNECTIONS, 2 * threads));
  }
}
