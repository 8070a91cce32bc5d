// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.temptier.cli.ExitCodes;
import io.temptier.fixtures.Eventually;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code temptier s3a doctor} and what people get wrong, on a real gateway; without Ceph on
 * s3proxy.
 */
class StoreDoctorIT {
  @RegisterExtension static final StoreFixture STORE = new StoreFixture(2);

  private static final String BUCKET = "bucket";
  private static final String TORN = "torn";
  private static final String PUBLIC = "public-read";

  private static S3Account owner;

  @TempDir private Path dir;

  @BeforeAll
  static void start() throws IOException {
    owner = STORE.owner();
    STORE.makeBucket(BUCKET, PUBLIC);
    if (CephFixture.hindrance().isEmpty()) {
      new SoundSetUp(STORE.ceph(), owner).ruleAborts(BUCKET);
    }
  }

  private Diagnosis doctor(
      S3Account account, String bucket, Map<String, String> others, String... options)
      throws IOException {
    Map<String, String> conf = TestbedFiles.properties(STORE.gateways(), account);
    conf.putAll(others);
    return Diagnosis.of(dir, conf, bucket, options);
  }

  private static List<String> names(int gateway) throws IOException {
    return names(gateway, BUCKET);
  }

  private static List<String> names(int gateway, String bucket) throws IOException {
    Configuration conf = new Configuration();
    TestbedFiles.properties(List.of(STORE.gateways().get(gateway)), owner).forEach(conf::set);
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

  @Test
  void nothingIsWrittenWhenNothingMayBe() throws IOException {
    S3Account reader = STORE.ceph().newAccount("reader");
    Diagnosis refused = doctor(reader, BUCKET, Map.of());
    assertEquals(ExitCodes.FAILED, refused.code(), refused.text());
    refused.says("The store knows the user and forbids this: to write there needs s3:PutObject.");
    refused.says("(make an empty file; the store: status 403 AccessDenied, request tx");
    Diagnosis readOnly = doctor(reader, BUCKET, Map.of(), "--read-only");
    assertEquals(ExitCodes.FINE, readOnly.code(), readOnly.text());
    readOnly.says("Not asked, since it would write to make an empty file");
    Diagnosis unsigned =
        doctor(owner, BUCKET, Map.of("fs.s3a.s3.signing-algorithm", ""), "--read-only");
    unsigned.says("Not tried, since nothing was written.");
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
  void theDefaultSignerIsNamedWithWhatToPaste() throws IOException {
    STORE.assumeCeph();
    Diagnosis diagnosis = doctor(owner, BUCKET, Map.of("fs.s3a.s3.signing-algorithm", ""));
    assertEquals(ExitCodes.FAILED, diagnosis.code(), diagnosis.text());
    diagnosis.says("The store refuses uploads of 0 bytes");
    diagnosis.says(
        "<property><name>fs.s3a.s3.signing-algorithm</name>"
            + "<value>AWS4UnsignedPayloadSignerType</value></property>");
    assertEquals(List.of(), names(0));
  }

  @Test
  void whatCannotBeCopiedFromLocalIsNamedWithWhatToPaste() throws IOException {
    STORE.assumeCeph();
    String key = "fs.s3a.optimized.copy.from.local.enabled";
    Diagnosis diagnosis = doctor(owner, BUCKET, Map.of(key, "true"));
    assertEquals(ExitCodes.FAILED, diagnosis.code(), diagnosis.text());
    diagnosis.says("ERROR " + key);
    diagnosis.says("a local file cannot be copied");
    diagnosis.says("<property><name>" + key + "</name><value>false</value></property>");
    assertEquals(List.of(), names(0));
  }

  @Test
  void httpsToAGatewayOfHttpIsNamed() throws IOException {
    String https = STORE.gateways().get(0).toString().replace("http:", "https:");
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

  @Test
  void aGatewayThatGoesDownInTheMiddleIsNamedAndWhatItKeeps() throws Exception {
    // Of its own: what a killed gateway was about to write can show up in lists for a while.
    CephCluster ceph = STORE.ceph();
    STORE.makeBucket(TORN, PUBLIC);
    FutureTask<Diagnosis> asked = new FutureTask<>(() -> doctor(owner, TORN, Map.of()));
    new Thread(asked, "doctor").start();
    try {
      Eventually.holds(
          "the other gateway shows that it has begun to write",
          () -> {
            assertFalse(asked.isDone(), "it wrote nothing");
            return !names(1, TORN).isEmpty();
          });
      Gateways.kill(ceph, 0);
      Diagnosis diagnosis = asked.get(10, TimeUnit.MINUTES);
      assertEquals(ExitCodes.FAILED, diagnosis.code(), diagnosis.text());
      diagnosis.says("ERROR fs.s3a.endpoint");
      diagnosis.says("It could not be removed");
      diagnosis.says("hadoop fs -rm -r -skipTrash s3a://torn/temptier-doctor-");
    } finally {
      Gateways.kill(ceph, 0);
      Gateways.start(ceph, 0);
    }
  }
}
