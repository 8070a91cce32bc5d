// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import io.temptier.cli.ExitCodes;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ExpirationStatus;
import software.amazon.awssdk.services.s3.model.LifecycleRule;

/**
 * A set-up that is sound on a real gateway, for one thing to be put wrong in it.
 *
 * @param owner whose bucket it is
 */
record SoundSetUp(CephCluster ceph, S3Account owner) {
  static final String BUCKET = "bucket";

  /** Makes the owner and the bucket. */
  static SoundSetUp on(CephCluster ceph) throws IOException {
    S3Account owner = ceph.newAccount("owner");
    ceph.makeBucket(owner, BUCKET);
    SoundSetUp sound = new SoundSetUp(ceph, owner);
    sound.ruleAborts(BUCKET);
    return sound;
  }

  /** What is asked. */
  interface Task {
    void run(S3Client store) throws IOException;
  }

  /** Asks the store as the owner, past S3A. */
  void store(String bucket, Task task) throws IOException {
    Configuration conf = new Configuration();
    with().forEach(conf::set);
    try (S3AFileSystem fs = new S3AFileSystem()) {
      fs.initialize(URI.create("s3a://" + bucket + "/"), conf);
      task.run(fs.getS3AInternals().getAmazonS3Client("test"));
    }
  }

  /** Gives a bucket the rule that each bucket should have. */
  void ruleAborts(String bucket) throws IOException {
    LifecycleRule rule =
        LifecycleRule.builder()
            .id("abort")
            .status(ExpirationStatus.ENABLED)
            .filter(it -> it.prefix(""))
            .abortIncompleteMultipartUpload(it -> it.daysAfterInitiation(7))
            .build();
    store(
        bucket,
        client ->
            client.putBucketLifecycleConfiguration(
                it -> it.bucket(bucket).lifecycleConfiguration(rules -> rules.rules(rule))));
  }

  /** Its properties, with others over them. */
  Map<String, String> with(String... keysAndValues) {
    Map<String, String> conf = new LinkedHashMap<>(ceph.s3aProperties(owner));
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return conf;
  }

  /** Its properties, by another endpoint. */
  Map<String, String> at(URI endpoint) {
    return with(
        "fs.s3a.endpoint",
        endpoint.toString(),
        "fs.s3a.connection.ssl.enabled",
        Boolean.toString(endpoint.getScheme().equals("https")));
  }

  /** Its properties, with requests spread over gateways. */
  Map<String, String> through(String... gateways) {
    return with(
        "fs.s3a.s3.client.factory.impl",
        "io.temptier.s3a.endpoint.SpreadingS3ClientFactory",
        "temptier.s3a.endpoints",
        String.join(",", gateways));
  }

  /** Where a gateway is. */
  String gateway(int index) {
    return ceph.gateways().get(index).toString();
  }

  /** The doctor must find an error, and say all that. */
  void fails(Path dir, Map<String, String> conf, String... says) throws IOException {
    examined(dir, ExitCodes.FAILED, conf, BUCKET, says);
  }

  /** The doctor must find no error, and say all that. */
  void passes(Path dir, Map<String, String> conf, String... says) throws IOException {
    examined(dir, ExitCodes.FINE, conf, BUCKET, says);
  }

  /** The doctor must end with that code, and say all that. */
  Diagnosis examined(Path dir, int code, Map<String, String> conf, String bucket, String... says)
      throws IOException {
    Diagnosis diagnosis = Diagnosis.of(dir, conf, bucket);
    diagnosis.endsWith(code);
    for (String text : says) {
      diagnosis.says(text);
    }
    return diagnosis;
  }
}
