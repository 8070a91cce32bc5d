// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import static io.temptier.cli.s3a.doctor.BucketSettings.put;

import io.temptier.cli.doctor.LocatedProperties;
import io.temptier.cli.doctor.Paste;
import io.temptier.cli.doctor.Rollout;
import io.temptier.s3a.profile.TimeoutSettings;
import io.temptier.s3a.profile.UploadBufferRequest;
import io.temptier.s3a.profile.Workload;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.NearestName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What S3A's settings show by themselves. */
final class SettingsChecks {
  private static final Set<String> OBSOLETE =
      Set.of("fs.s3a.fast.upload", "fs.s3a.prefetch.enabled", "fs.s3a.metadatastore.impl");
  private static final String FACTORY = "mapreduce.outputcommitter.factory.scheme.s3a";
  private static final String OURS = "org.apache.hadoop.fs.s3a.commit.S3ACommitterFactory";
  private static final String CONNECTIONS = "fs.s3a.connection.maximum";
  private static final String THREADS = "fs.s3a.threads.max";
  private static final int DEFAULT_CONNECTIONS = 500;
  private static final int DEFAULT_THREADS = 96;
  private static final String PURGE_AGE_SECONDS = "86400";
  private static final long LEAST_READAHEAD = 64L << 10;
  private static final long MOST_READAHEAD = 1L << 20;

  /** S3A raises what is below, but for the time of an upload. */
  private static final long LEAST_TIMEOUT_MILLIS = 15_000;

  private SettingsChecks() {}

  /** Whether the settings name one store, and how to reach it. */
  static List<Finding> endpoint(BucketSettings settings) {
    String endpoint = settings.value(S3aKey.ENDPOINT).toLowerCase(Locale.ROOT);
    if (endpoint.isEmpty() && settings.isAmazon()) {
      return settings.warning(
          S3aKey.ENDPOINT,
          "Requests go to AWS.",
          "If the store is another: " + put(S3aKey.ENDPOINT, "http://rgw.example.com:8080"));
    }
    List<Finding> findings = new ArrayList<>();
    if (endpoint.contains(",")) {
      findings.addAll(
          settings.error(
              S3aKey.ENDPOINT,
              "S3A takes one endpoint, and takes all of this for its name.",
              "Leave one, or give all gateways one DNS name."));
    }
    boolean tls = settings.conf().getBoolean(S3aKey.TLS, true);
    if (endpoint.startsWith("http://") && tls && settings.isSet(S3aKey.TLS)) {
      findings.addAll(
          settings.warning(
              S3aKey.TLS,
              "The endpoint says http and wins: data and names cross the network in the clear.",
              "Write the endpoint with https://, or " + Paste.property(S3aKey.TLS, "false") + "."));
    }
    if (endpoint.startsWith("https://") && !tls) {
      findings.addAll(
          settings.warning(
              S3aKey.TLS, "The endpoint says https and wins.", put(S3aKey.TLS, "true")));
    }
    if (!settings.isAmazon()) {
      ofOtherStores(settings, findings);
    }
    return findings;
  }

  private static void ofOtherStores(BucketSettings settings, List<Finding> findings) {
    if (settings.value(S3aKey.REGION).isEmpty()) {
      findings.addAll(
          settings.warning(
              S3aKey.REGION,
              "Signatures hold a region: without one S3A asks the SDK, which asks AWS or fails.",
              "Ceph takes any. " + put(S3aKey.REGION, "us-east-1")));
    }
    if (!settings.conf().getBoolean(S3aKey.PATH_STYLE, false)) {
      findings.addAll(
          settings.warning(
              S3aKey.PATH_STYLE,
              "Requests go to BUCKET.HOST: each bucket needs a DNS name, and the gateway must know"
                  + " its own (rgw_dns_name).",
              put(S3aKey.PATH_STYLE, "true")));
    }
  }

  /** Whether secrets lie open. */
  static List<Finding> openSecrets(BucketSettings settings) {
    List<Finding> findings = new ArrayList<>();
    for (LocatedProperties file : settings.rollout().files()) {
      Stream.of(S3aKey.ACCESS_KEY, S3aKey.SECRET_KEY, S3aKey.SESSION_TOKEN)
          .filter(key -> !file.of(key).isEmpty() && openToAll(file))
          .findFirst()
          .map(
              key ->
                  settings.warning(
                      key,
                      "Every user of this machine can read the keys in " + file.path() + ".",
                      "Put them into a credential store (hadoop credential create %s), name it in"
                              .formatted(key)
                          + " hadoop.security.credential.provider.path, and take them out of the"
                          + " file."))
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

  /** Whether S3A reads what is set. */
  static List<Finding> unread(BucketSettings settings) {
    Set<String> known =
        BucketSettings.hadoop().map(version -> version.keys().keySet()).orElse(Set.of());
    List<Finding> findings = new ArrayList<>();
    for (String key : known.isEmpty() ? Set.<String>of() : settings.rollout().keys()) {
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
    String stream = settings.stream();
    if (stream.equals("prefetch")) {
      return settings.warning(
          S3aKey.STREAM,
          "The prefetch stream failed every run of random reads on Ceph.",
          put(S3aKey.STREAM, S3aKey.CLASSIC));
    }
    if (!stream.equals("analytics")) {
      return List.of();
    }
    List<String> unheard =
        Stream.of(S3aKey.FADVISE, S3aKey.READAHEAD).filter(settings::isSet).toList();
    return settings.finding(
        unheard.isEmpty() ? Severity.INFO : Severity.WARNING,
        S3aKey.STREAM,
        unheard.isEmpty()
            ? "Reads go through the analytics stream. On Ceph it took 1409 ms for 200 random"
                + " reads where the classic one took 579 ms, and it missed an overwrite."
            : "Reads go through the analytics stream, under which "
                + String.join(" and ", unheard)
                + " have no effect.",
        put(S3aKey.STREAM, S3aKey.CLASSIC));
  }

  /** Whether the readahead is within what the profiles set. Other streams have no use for it. */
  static List<Finding> readahead(BucketSettings settings) {
    String key = S3aKey.READAHEAD;
    long bytes = settings.conf().getLongBytes(key, LEAST_READAHEAD);
    String policy = settings.value(S3aKey.FADVISE);
    boolean sequential = policy.equals("sequential");
    boolean within = bytes >= LEAST_READAHEAD && (bytes <= MOST_READAHEAD || sequential);
    if (within || !settings.stream().equals(S3aKey.CLASSIC)) {
      return List.of();
    }
    Workload like =
        sequential ? Workload.SCAN : policy.equals("random") ? Workload.COLUMNAR : Workload.MIXED;
    return settings.warning(
        key,
        bytes < LEAST_READAHEAD
            ? "Each gap beyond it ends a request, which costs the gateway about 30 ms: 566 gaps of"
                + " 100 to 900 KB took 17100 ms with 64K, 588 ms with 1M."
            : "Each random read fetches at least this much, under normal too after the first seek"
                + " backward: with 8M 200 reads fetched 1558 MB for 102 and took 2.76 times as"
                + " long.",
        "Set what a profile sets: temptier s3a profile --workload " + like);
  }

  /** Whether S3A waits as long as it is told to. */
  static List<Finding> timeouts(BucketSettings settings) {
    List<Finding> findings = new ArrayList<>();
    for (String key :
        List.of(
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
              settings.warning(
                  key,
                  (part ? "An upload that takes longer fails." : "S3A takes 15 s, its least.")
                      + " A number without a unit is milliseconds.",
                  remedy));
        }
      } catch (NumberFormatException e) {
        findings.addAll(settings.error(key, "This is no time: no s3a path opens.", remedy));
      }
    }
    return findings;
  }

  /** How long a profile gives an upload of parts of this size. */
  static String partTimeout(BucketSettings settings) {
    try {
      return TimeoutSettings.partUpload(
          settings.conf().getLongBytes(S3aKey.PART_SIZE, UploadBufferRequest.DEFAULT_PART_BYTES));
    } catch (NumberFormatException e) {
      // Said by the check of that property.
      return TimeoutSettings.partUpload(UploadBufferRequest.DEFAULT_PART_BYTES);
    }
  }

  /** Whether uploads are given less time than S3A grants any other request. */
  static boolean hasShortPartTimeout(BucketSettings settings) {
    return timeouts(settings).stream().anyMatch(found -> found.key().equals(S3aKey.PART_TIMEOUT));
  }

  /** Whether jobs commit without renaming, which in S3 is copying. */
  static List<Finding> committer(BucketSettings settings) {
    String committer = settings.value(S3aKey.COMMITTER);
    if (committer.isEmpty() || committer.equals("file")) {
      return settings.warning(
          S3aKey.COMMITTER,
          "Jobs commit by renaming: the store copies each object for it, and a job that dies"
              + " in the middle leaves half of its output.",
          put(S3aKey.COMMITTER, "magic"));
    }
    if (committer.equals("magic") && !settings.conf().getBoolean(S3aKey.MAGIC, true)) {
      return settings.error(
          S3aKey.MAGIC,
          "The magic committer is chosen and switched off: jobs fail when they begin.",
          put(S3aKey.MAGIC, "true"));
    }
    if (!settings.value(FACTORY).equals(OURS)) {
      return settings.warning(
          FACTORY,
          "MapReduce does not use S3A's committers, fs.s3a.committer.name or not.",
          Paste.into(Rollout.MAPRED_SITE, FACTORY, OURS));
    }
    return List.of();
  }

  /** Whether each thread that talks to the store can have a connection. */
  static List<Finding> pool(BucketSettings settings) {
    int connections = settings.conf().getInt(CONNECTIONS, DEFAULT_CONNECTIONS);
    int threads = settings.conf().getInt(THREADS, DEFAULT_THREADS);
    if (connections > threads) {
      return List.of();
    }
    return settings.warning(
        CONNECTIONS,
        ("There are " + threads + " threads (" + THREADS + ")")
            + " and open streams hold connections too: requests wait for one, and fail with"
            + " \"Timeout waiting for connection from pool\".",
        put(CONNECTIONS, String.valueOf(Math.max(DEFAULT_CONNECTIONS, 2 * threads))));
  }

  /** Whether whoever opens S3A aborts the uploads of others. The doctor's own S3A never does. */
  static List<Finding> purge(BucketSettings settings) {
    if (!settings.conf().getBoolean(S3aKey.PURGE, false)) {
      return List.of();
    }
    String age = settings.value(S3aKey.PURGE_AGE);
    return settings.warning(
        S3aKey.PURGE,
        ("Each program that opens the bucket aborts all uploads of the bucket that were begun more"
                + " than %s s before: jobs that still write, and those of the magic committer, lose"
                + " their output. The doctor aborted none.")
            .formatted(age.isEmpty() ? PURGE_AGE_SECONDS : age),
        "Take it out, and give the bucket a lifecycle rule (AbortIncompleteMultipartUpload).");
  }

  /** The signer, where nothing may be written to try it. */
  static List<Finding> signer(BucketSettings settings) {
    boolean set =
        !settings.value(S3aKey.SIGNER).isEmpty() || !settings.value(S3aKey.ANY_SIGNER).isEmpty();
    return settings.isAmazon() || set
        ? List.of()
        : settings.warning(
            S3aKey.SIGNER,
            "Ceph refuses uploads of 0 bytes as S3A signs them by default: mkdirs, empty files"
                + " and committers fail. Not tried, since nothing was written.",
            put(S3aKey.SIGNER, S3aKey.UNSIGNED_PAYLOAD));
  }
}
