// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.Rollout;
import io.temptier.s3a.endpoint.EndpointSettings;
import io.temptier.s3a.profile.HadoopVersion;
import io.temptier.s3a.profile.SpreadSettings;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.VersionInfo;

/**
 * What is examined.
 *
 * @param bucket its name
 * @param rollout the files
 * @param conf what S3A will read: the files, defaults, and the bucket's own settings over them
 */
record Subject(String bucket, Rollout rollout, Configuration conf) {
  static final String CORE_SITE = "core-site.xml";

  private static final String S3A = "fs.s3a.";

  /** Settings of one bucket that S3A takes from nowhere but the general ones. */
  private static final String IMPL = "impl";

  /**
   * As S3A puts a bucket's own settings over the general ones.
   *
   * @param bucket its name
   */
  static Subject of(String bucket, Rollout rollout) {
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
    return new Subject(bucket, rollout, conf);
  }

  /** A value, trimmed; empty when there is none. */
  String value(String key) {
    return conf.getTrimmed(key, "");
  }

  /** Whether a file, and no default, gives a key its value. */
  boolean isSet(String key) {
    return rollout.isSet(rollout.job(), key) || rollout.isSet(rollout.job(), ofBucket(key));
  }

  /** Where a value came from. */
  String origin(String key) {
    String own = ofBucket(key);
    return own.equals(key) || rollout.job().get(own) == null
        ? rollout.origin(rollout.job(), key)
        : own + ", " + rollout.origin(rollout.job(), own);
  }

  private String ofBucket(String key) {
    return key.startsWith(S3A) ? S3A + "bucket." + bucket + "." + key.substring(S3A.length()) : key;
  }

  /** Something to say of a property, with its value and where that came from. */
  Finding finding(Severity severity, String key, String consequence, String remedy) {
    return new Finding(severity, key, value(key), origin(key), consequence, remedy);
  }

  /**
   * Where S3A's requests go: the gateways that TempTier's factory is given, one or more, else the
   * one endpoint, which may be empty.
   */
  List<String> endpoints() {
    if (value(SpreadSettings.FACTORY).equals(SpreadSettings.OURS)) {
      try {
        List<URI> gateways = EndpointSettings.of(conf).endpoints();
        if (!gateways.isEmpty()) {
          return gateways.stream().map(URI::toString).toList();
        }
      } catch (IllegalArgumentException e) {
        // Said by the check of the gateways.
        return List.of(value(Keys.ENDPOINT));
      }
    }
    return List.of(value(Keys.ENDPOINT));
  }

  /** Whether the store is Amazon's own. */
  boolean isAmazon() {
    return endpoints().stream()
        .allMatch(endpoint -> endpoint.isEmpty() || endpoint.contains("amazonaws.com"));
  }

  /** The Hadoop this runs with, if S3A's properties in it are known. */
  static Optional<HadoopVersion> hadoop() {
    return HadoopVersion.of(VersionInfo.getVersion());
  }
}
