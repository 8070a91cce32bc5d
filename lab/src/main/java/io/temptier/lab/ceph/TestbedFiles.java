// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import io.temptier.s3a.profile.HadoopVersion;
import io.temptier.s3a.profile.Profile;
import io.temptier.s3a.profile.S3aWorkload;
import io.temptier.s3a.profile.UploadBufferPlan;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.util.VersionInfo;

/** S3A's settings for a testbed. */
public final class TestbedFiles {
  public static final String BUCKET = "temptier";

  /** Keys that a client needs to reach a gateway at all, secrets included. */
  public static final Set<String> NEEDED =
      Set.of(
          "fs.s3a.access.key",
          "fs.s3a.secret.key",
          "fs.s3a.endpoint",
          "fs.s3a.connection.ssl.enabled",
          "fs.s3a.endpoint.region",
          "fs.s3a.path.style.access",
          "fs.s3a.s3.signing-algorithm",
          "fs.s3a.optimized.copy.from.local.enabled");

  private TestbedFiles() {}

  /**
   * The profile for jobs of all kinds, by which requests go to all these gateways, and the keys,
   * which no profile holds.
   */
  public static Map<String, String> properties(List<URI> gateways, S3Account account) {
    HadoopVersion version = HadoopVersion.of(VersionInfo.getVersion()).orElse(HadoopVersion.V3_5_0);
    Map<String, String> properties = profile(S3aWorkload.MIXED, version, gateways);
    properties.put("fs.s3a.access.key", account.accessKey());
    properties.put("fs.s3a.secret.key", account.secretKey());
    return properties;
  }

  /** Returns a profile's settings, a map of the caller's own. */
  public static Map<String, String> profile(
      S3aWorkload workload, HadoopVersion version, List<URI> gateways) {
    Map<String, String> properties = new LinkedHashMap<>();
    Profile.of(workload, version, Profile.Committer.MAGIC, gateways, UploadBufferPlan.unknown())
        .settings()
        .forEach(setting -> properties.put(setting.key(), setting.value()));
    return properties;
  }
}
