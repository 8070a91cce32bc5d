// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.Rollout;
import io.temptier.s3a.endpoint.EndpointSettings;
import io.temptier.s3a.profile.HadoopVersion;
import io.temptier.s3a.profile.Settings;
import io.temptier.s3a.profile.UploadBufferPlan;
import io.temptier.tier.lang.Immutable;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.VersionInfo;

/** The settings a path is reached with. */
final class BucketSettings {
  static final String TLS = "fs.s3a.connection.ssl.enabled";
  static final String PART_SIZE = "fs.s3a.multipart.size";
  static final String PREFETCH = "fs.s3a.prefetch.enabled";

  /** Keys whose values stand in no report. */
  static final List<String> SECRETS =
      Immutable.listOf("fs.s3a.access.key", "fs.s3a.secret.key", "fs.s3a.session.token");

  private static final String S3A = "fs.s3a.";
  private static final String ENVIRONMENT = "env.";
  private static final String CLASS = "class.";

  final String bucket;

  /** Below the bucket, where a job would write; {@code /} for the bucket itself. */
  final String path;

  final Rollout rollout;

  /** Configuration that S3A will read: the jobs', and the bucket's own settings over it. */
  final Configuration conf;

  private final Configuration job;

  /** Reads settings with single properties as {@code -D} gives them to a job. */
  BucketSettings(String bucket, String path, Rollout rollout, Map<String, String> given) {
    this.bucket = bucket;
    this.path = path;
    this.rollout = rollout;
    this.job = new Configuration(rollout.job());
    given.forEach((key, value) -> job.set(key, value, "-D"));
    this.conf = new Configuration(job);
    // S3A, too, puts a bucket's own settings over the general ones.
    String prefix = ofBucket(S3A);
    job.getPropsWithPrefix(prefix)
        .forEach(
            (name, value) -> {
              // This one S3A takes from nowhere but the general ones.
              if (!name.equals("impl")) {
                conf.set(S3A + name, value, prefix + name);
              }
            });
  }

  /** A value, trimmed; empty when there is none. What the table of troubles asks, too. */
  String value(String key) {
    switch (key) {
      case "bucket":
        return bucket;
      case "amazon":
        return String.valueOf(isAmazon());
      case "stream":
        return stream();
      case "proxy":
        return Stream.of(
                System.getProperty("http.proxyHost"),
                System.getProperty("https.proxyHost"),
                System.getenv("HTTP_PROXY"),
                System.getenv("http_proxy"),
                System.getenv("HTTPS_PROXY"),
                System.getenv("https_proxy"))
            .filter(each -> each != null && !each.isEmpty())
            .findFirst()
            .orElse("");
      case "tls":
        return String.valueOf(isTls());
      case "hadoop":
        return VersionInfo.getVersion();
      case "sdk":
      case "jackson-core":
      case "jackson-databind":
        return SettingsChecks.version(key);
      default:
        return key.startsWith(ENVIRONMENT)
            ? System.getenv().getOrDefault(key.substring(ENVIRONMENT.length()), "")
            : key.startsWith(CLASS)
                ? SettingsChecks.where(key.substring(CLASS.length()))
                : conf.getTrimmed(key, "");
    }
  }

  /** Returns the value or Hadoop's default, for people. */
  String shown(String key) {
    String value = value(key);
    return value.isEmpty() ? defaultOf(key).orElse("nothing") : value;
  }

  private boolean isTls() {
    String endpoint = endpoints().get(0);
    return endpoint.contains("://")
        ? endpoint.regionMatches(true, 0, "https:", 0, 6)
        : conf.getBoolean(TLS, true);
  }

  long partBytes() {
    return size(PART_SIZE, UploadBufferPlan.DEFAULT_PART_BYTES);
  }

  /** A size, or else another; so for what is none, which S3A or another check says. */
  long size(String key, long otherwise) {
    try {
      return conf.getLongBytes(key, otherwise);
    } catch (IllegalArgumentException e) {
      return otherwise;
    }
  }

  /** True if a file or {@code -D}, and no default, gives a key its value. */
  boolean isSet(String key) {
    return rollout.isSet(job, key) || rollout.isSet(job, ofBucket(key));
  }

  String origin(String key) {
    String bucketKey = ofBucket(key);
    return bucketKey.equals(key) || job.get(bucketKey) == null
        ? rollout.origin(job, key)
        : bucketKey + ", " + rollout.origin(job, bucketKey);
  }

  private String ofBucket(String key) {
    return key.startsWith(S3A) ? S3A + "bucket." + bucket + "." + key.substring(S3A.length()) : key;
  }

  /** Every property that a file or {@code -D} sets, by its general name. */
  Set<String> given() {
    String prefix = ofBucket(S3A);
    Set<String> given = new TreeSet<>(rollout.keys());
    job.forEach(each -> given.add("-D".equals(origin(each.getKey())) ? each.getKey() : ""));
    return given.stream()
        .map(key -> key.startsWith(prefix) ? S3A + key.substring(prefix.length()) : key)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Returns the addresses of S3A's requests: the gateways that TempTier's factory is given, one or
   * more, else the one endpoint, which may be empty.
   */
  List<String> endpoints() {
    List<URI> gateways = Immutable.listOf();
    try {
      if (value(Settings.FACTORY).equals(Settings.OURS)) {
        gateways = EndpointSettings.of(conf).endpoints();
      }
    } catch (IllegalArgumentException e) {
      // Said by the check of the gateways.
    }
    return gateways.isEmpty()
        ? Immutable.listOf(value(Settings.ENDPOINT))
        : gateways.stream().map(URI::toString).collect(Immutable.toList());
  }

  /** The proxy that S3A's requests go through, by its default port where none is set. */
  Optional<InetSocketAddress> proxy() {
    String host = value("fs.s3a.proxy.host");
    int port = conf.getBoolean("fs.s3a.proxy.ssl.enabled", false) ? 443 : 80;
    return host.isEmpty()
        ? Optional.empty()
        : Optional.of(new InetSocketAddress(host, conf.getInt("fs.s3a.proxy.port", port)));
  }

  boolean isAmazon() {
    return endpoints().stream()
        .allMatch(endpoint -> endpoint.isEmpty() || endpoint.contains("amazonaws.com"));
  }

  /** The stream that reads, by the default of this Hadoop where none is set. */
  private String stream() {
    String value = conf.getBoolean(PREFETCH, false) ? "prefetch" : value(Settings.STREAM);
    return !value.isEmpty() && !value.equals("default")
        ? value
        : defaultOf(Settings.STREAM).orElse("classic");
  }

  static Optional<String> defaultOf(String key) {
    return hadoop().flatMap(version -> version.defaultOf(key));
  }

  /** The Hadoop this runs with, if S3A's properties in it are known. */
  static Optional<HadoopVersion> hadoop() {
    return HadoopVersion.of(VersionInfo.getVersion());
  }
}
