// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import com.google.auto.value.AutoValue;
import io.temptier.cli.doctor.Paste;
import io.temptier.cli.doctor.Rollout;
import io.temptier.s3a.endpoint.EndpointSettings;
import io.temptier.s3a.profile.HadoopVersion;
import io.temptier.s3a.profile.SpreadSettings;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.Immutable;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.VersionInfo;

/** The settings a bucket is reached with. */
@AutoValue
abstract class BucketSettings {

  private static final String S3A = "fs.s3a.";

  /** Settings of one bucket that S3A takes from nowhere but the general ones. */
  private static final String IMPL = "impl";

  abstract String bucket();

  abstract Rollout rollout();

  /** What S3A will read: the files, defaults, and the bucket's own settings over them. */
  abstract Configuration conf();

  static BucketSettings of(String bucket, Rollout rollout, Configuration conf) {
    return new AutoValue_BucketSettings(bucket, rollout, conf);
  }

  /** As S3A puts a bucket's own settings over the general ones. */
  static BucketSettings of(String bucket, Rollout rollout) {
    Configuration conf = new Configuration(rollout.job());
    String prefix = S3A + "bucket." + bucket + ".";
    rollout
        .job()
        .getPropsWithPrefix(prefix)
        .forEach(
            (name, value) -> {
              if (!name.equals(IMPL)) {
                conf.set(S3A + name, value, prefix + name);
              }
            });
    return BucketSettings.of(bucket, rollout, conf);
  }

  /** A value, trimmed; empty when there is none. */
  String value(String key) {
    return conf().getTrimmed(key, "");
  }

  /** Whether a file, and no default, gives a key its value. */
  boolean isSet(String key) {
    return rollout().isSet(rollout().job(), key) || rollout().isSet(rollout().job(), ofBucket(key));
  }

  String origin(String key) {
    String own = ofBucket(key);
    return own.equals(key) || rollout().job().get(own) == null
        ? rollout().origin(rollout().job(), key)
        : own + ", " + rollout().origin(rollout().job(), own);
  }

  private String ofBucket(String key) {
    return key.startsWith(S3A)
        ? S3A + "bucket." + bucket() + "." + key.substring(S3A.length())
        : key;
  }

  /** A remedy: the property to put into core-site.xml. */
  static String put(String key, String value) {
    return Paste.into(Rollout.CORE_SITE, key, value);
  }

  /** One finding: something to say of a property, with its value and where that came from. */
  List<Finding> finding(Severity severity, String key, String consequence, String remedy) {
    return Immutable.listOf(
        Finding.of(severity, key, value(key), origin(key), consequence, remedy));
  }

  /** A finding that S3A cannot live with. */
  List<Finding> error(String key, String consequence, String remedy) {
    return finding(Severity.ERROR, key, consequence, remedy);
  }

  /** A finding that S3A lives with, at a cost. */
  List<Finding> warning(String key, String consequence, String remedy) {
    return finding(Severity.WARNING, key, consequence, remedy);
  }

  /** An error that only the store's answer shows. */
  static List<Finding> answered(String what, String answer, String consequence, String remedy) {
    String origin = "the store's answer";
    return Immutable.listOf(Finding.of(Severity.ERROR, what, answer, origin, consequence, remedy));
  }

  /**
   * Where S3A's requests go: the gateways that TempTier's factory is given, one or more, else the
   * one endpoint, which may be empty.
   */
  List<String> endpoints() {
    if (value(SpreadSettings.FACTORY).equals(SpreadSettings.OURS)) {
      try {
        List<URI> gateways = EndpointSettings.of(conf()).endpoints();
        if (!gateways.isEmpty()) {
          return gateways.stream().map(URI::toString).collect(Immutable.toList());
        }
      } catch (IllegalArgumentException e) {
        // Said by the check of the gateways.
        return Immutable.listOf(value(S3aKey.ENDPOINT));
      }
    }
    return Immutable.listOf(value(S3aKey.ENDPOINT));
  }

  /** The proxy that S3A's requests go through, by its default port where none is set. */
  Optional<InetSocketAddress> proxy() {
    String host = value(S3aKey.PROXY_HOST);
    int port =
        conf().getInt(S3aKey.PROXY_PORT, conf().getBoolean(S3aKey.PROXY_TLS, false) ? 443 : 80);
    return host.isEmpty() ? Optional.empty() : Optional.of(new InetSocketAddress(host, port));
  }

  boolean isAmazon() {
    return endpoints().stream()
        .allMatch(endpoint -> endpoint.isEmpty() || endpoint.contains("amazonaws.com"));
  }

  /** The stream that reads, by the default of this Hadoop where none is set. */
  String stream() {
    String value = value(S3aKey.STREAM);
    return !value.isEmpty() && !value.equals("default")
        ? value
        : hadoop().flatMap(version -> version.defaultOf(S3aKey.STREAM)).orElse(S3aKey.CLASSIC);
  }

  /** The Hadoop this runs with, if S3A's properties in it are known. */
  static Optional<HadoopVersion> hadoop() {
    return HadoopVersion.of(VersionInfo.getVersion());
  }
}
