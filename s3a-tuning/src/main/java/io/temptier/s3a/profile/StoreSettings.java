// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** What S3A must be told to talk to Ceph's gateway at all. */
final class StoreSettings {
  static final String ENDPOINT = "fs.s3a.endpoint";

  private static final Source NEEDED = Source.measured("Needed options");

  private StoreSettings() {}

  /**
   * The settings.
   *
   * @param endpoints the gateways, checked; none when they are to be left out
   */
  static List<Setting> of(List<URI> endpoints) {
    List<Setting> settings = new ArrayList<>();
    if (!endpoints.isEmpty()) {
      URI first = endpoints.get(0);
      boolean tls = "https".equals(first.getScheme());
      settings.add(
          Setting.of(
              ENDPOINT,
              first.toString(),
              "The gateway, or a name that stands for all of them: with round-robin DNS over"
                  + " gateways beside the OSDs the paper's queries took 18 % less time than through"
                  + " a load balancer.",
              "None. S3A itself takes one endpoint.",
              NEEDED,
              Source.document("figure 9")));
      settings.add(
          Setting.of(
              "fs.s3a.connection.ssl.enabled",
              String.valueOf(tls),
              "Says the same as the endpoint's " + first.getScheme() + ", for what asks here.",
              tls ? "The CPU time of TLS." : "Data and names cross the network in the clear.",
              NEEDED,
              Source.hadoop("DefaultS3ClientFactory.getS3Endpoint")));
    }
    settings.add(
        Setting.of(
            "fs.s3a.endpoint.region",
            "us-east-1",
            "Signatures hold a region; the gateway takes any. Without one the client may ask AWS"
                + " for the bucket's.",
            "None.",
            NEEDED,
            Source.hadoop("DefaultS3ClientFactory.configureEndpointAndRegion")));
    settings.add(
        Setting.of(
            "fs.s3a.path.style.access",
            "true",
            "Buckets stand in the path, so that they need no DNS names of their own.",
            "None.",
            NEEDED,
            Source.hadoop("core-default.xml")));
    settings.add(
        Setting.of(
                "fs.s3a.s3.signing-algorithm",
                "AWS4UnsignedPayloadSignerType",
                "With the default signer every upload of 0 bytes (mkdirs, empty files, committers)"
                    + " fails with 400 XAmzContentSHA256Mismatch on all three versions. It is also"
                    + " faster: the default took 1.16 times as long.",
                "The body of a request is not part of its signature; over http nothing else guards"
                    + " it.",
                NEEDED,
                Source.measured("Uploads"))
            .ofSdk2());
    settings.add(
        Setting.of(
            "fs.s3a.optimized.copy.from.local.enabled",
            "false",
            "With the SDK's transfer manager, which S3A takes for copyFromLocalFile by default,"
                + " every such upload fails with 400 XAmzContentSHA256Mismatch: jobs submitted with"
                + " s3a as their file system, and Hive's LOAD DATA LOCAL.",
            "Parts of one such file are uploaded as of any other file.",
            NEEDED,
            Source.hadoop("CopyFromLocalOperation, S3AFileSystem.copyLocalFileFromTo")));
    return settings;
  }
}
