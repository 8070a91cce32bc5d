// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.temptier.cli.ExitCodes;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code temptier s3a doctor} and what people get wrong, on s3proxy. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StoreDoctorIT {
  @RegisterExtension final TestStore store = newStore();

  static final String BUCKET = "bucket";
  static final String PUBLIC = "public-read";

  S3Account owner;

  @TempDir private Path dir;

  TestStore newStore() {
    return new S3ProxyFixture();
  }

  @BeforeAll
  void start() throws IOException {
    owner = store.owner();
    store.makeBucket(BUCKET, PUBLIC);
  }

  final Diagnosis doctor(
      S3Account account, String bucket, Map<String, String> others, String... options)
      throws IOException {
    Map<String, String> conf = TestbedFiles.properties(store.gateways(), account);
    conf.putAll(others);
    return Diagnosis.of(dir, conf, bucket, options);
  }

  List<String> names(int gateway) throws IOException {
    return names(gateway, BUCKET);
  }

  List<String> names(int gateway, String bucket) throws IOException {
    Configuration conf = new Configuration();
    TestbedFiles.properties(List.of(store.gateways().get(gateway)), owner).forEach(conf::set);
    try (FileSystem fs = FileSystem.newInstance(URI.create("s3a://" + bucket + "/"), conf)) {
      List<String> names = new ArrayList<>();
      for (FileStatus file : fs.listStatus(new org.apache.hadoop.fs.Path("/"))) {
        names.add(file.getPath().getName());
      }
      return names;
    }
  }

  @Test
  void aSoundSetUpIsReadyAndNothingIsLeft() throws IOException {
    Diagnosis diagnosis = doctor(owner, BUCKET, Map.of());
    assertEquals(ExitCodes.FINE, diagnosis.code(), diagnosis.text());
    for (String topic :
        List.of("Settings", "Connection", "Bucket", "Reads", "Clean-up", "Upload buffers")) {
      diagnosis.says(topic + ": ok");
    }
    diagnosis.says("Ready: what was asked was answered (answer, open, list, read,");
    diagnosis.says("Not tried: many tasks at a time");
    assertFalse(diagnosis.text().matches("(?s).*Not (asked|answered).*"), diagnosis.text());
    assertEquals(List.of(), names(0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fs.s3a.secret.key | hunter2hunter2 | the secret key is wrong",
        "fs.s3a.access.key | NOSUCHKEY | The store knows no user with this access key",
        "fs.s3a.buffer.dir | /proc/version | No space available in any of the local directories",
      })
  void whatIsWrongIsNamedWithItsLine(String key, String value, String text) throws IOException {
    Diagnosis diagnosis = doctor(owner, BUCKET, Map.of(key, value));
    assertEquals(ExitCodes.FAILED, diagnosis.code(), diagnosis.text());
    diagnosis.says(text);
    diagnosis.says("ERROR " + key);
    diagnosis.says("(core-site.xml, line ");
    assertEquals(List.of(), names(0));
  }

  @Test
  void httpsToAGatewayOfHttpIsNamed() throws IOException {
    String https = store.gateways().get(0).toString().replace("http:", "https:");
    Diagnosis diagnosis = doctor(owner, BUCKET, Map.of("fs.s3a.endpoint", https));
    assertEquals(ExitCodes.FAILED, diagnosis.code(), diagnosis.text());
    diagnosis.says("The gateway speaks http on this port");
  }

  @Test
  void aMissingBucketIsNamed() throws IOException {
    Diagnosis diagnosis = doctor(owner, "no-such-bucket", Map.of());
    assertEquals(ExitCodes.FAILED, diagnosis.code(), diagnosis.text());
    diagnosis.says("There is no such bucket");
  }

  /** Ceph takes any; that the doctor makes no fuss of it is what is tested. */
  @Test
  void anotherRegionIsFineOnCeph() throws IOException {
    Diagnosis diagnosis = doctor(owner, BUCKET, Map.of("fs.s3a.endpoint.region", "eu-west-9"));
    assertEquals(ExitCodes.FINE, diagnosis.code(), diagnosis.text());
  }

  @Test
  void settingsThatTheAnalyticsStreamIgnoresAreNamed() throws IOException {
    assumeTrue(!VersionInfo.getVersion().equals("3.4.2"));
    Diagnosis diagnosis =
        doctor(
            owner,
            BUCKET,
            Map.of(
                "fs.s3a.input.stream.type",
                "analytics",
                "fs.s3a.experimental.input.fadvise",
                "random"));
    diagnosis.says("fs.s3a.experimental.input.fadvise and fs.s3a.readahead.range have no effect");
  }
}
