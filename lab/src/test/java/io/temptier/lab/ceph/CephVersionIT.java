// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Needs.NeedsCeph;
import io.temptier.lab.process.Shell;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.CreateFileOptionKeys;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;

/**
 * What the list of Ceph's versions in {@code docs/s3a.md} says of 16.2. With another Ceph it is
 * skipped.
 */
@NeedsCeph
class CephVersionIT {
  @RegisterExtension static final CephFixture CEPH = new CephFixture(1);

  private static Map<String, String> properties = Map.of();

  @BeforeAll
  static void isTheOneOfTheList() throws IOException {
    String version = Shell.run("radosgw", "--version");
    assumeTrue(version.contains("version 16.2."), version);
    properties = CEPH.properties(CEPH.owner("tester", "plain", "versioned"));
  }

  private static FileSystem open(String bucket, Map<String, String> more) throws IOException {
    Map<String, String> conf = new HashMap<>(properties);
    conf.put("fs.s3a.multipart.size", "5M");
    conf.put("fs.s3a.multipart.threshold", "5M");
    conf.putAll(more);
    conf.values().removeIf(String::isEmpty);
    return CephFixture.open(bucket, conf);
  }

  /** What writing a file ended with; empty when it is there. */
  private static String write(FSDataOutputStreamBuilder<?, ?> file, int bytes) {
    try (FSDataOutputStream out = file.build()) {
      out.write(new byte[bytes]);
    } catch (IOException e) {
      return e.toString();
    }
    return "";
  }

  @ParameterizedTest
  @CsvSource({
    "'', '', 0, XAmzContentSHA256Mismatch",
    "'', '', 1000, ''",
    "AWS4UnsignedPayloadSignerType, '', 0, ''",
    "'', CRC32C, 1000, XAmzContentSHA256Mismatch",
    "AWS4UnsignedPayloadSignerType, CRC32, 1000, ''",
    "AWS4UnsignedPayloadSignerType, CRC32C, 1000, ''",
    "AWS4UnsignedPayloadSignerType, SHA256, 1000, ''",
    "AWS4UnsignedPayloadSignerType, CRC32C, 6291456, ''"
  })
  void theSignerDecidesWhichUploadsItTakes(
      String signer, String checksum, int bytes, String expected) throws IOException {
    try (FileSystem fs =
        open(
            "plain",
            Map.of(
                "fs.s3a.s3.signing-algorithm", signer,
                "fs.s3a.create.checksum.algorithm", checksum))) {
      String ended = write(fs.createFile(new Path("/signed")).overwrite(true), bytes);
      assertEquals(expected.isEmpty(), ended.isEmpty(), ended);
      assertTrue(ended.contains(expected), ended);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "plain, 1000, true",
    "plain, 6291456, false",
    "versioned, 1000, false",
    "versioned, 6291456, false"
  })
  void aConditionHoldsForOnePutInAPlainBucketOnly(String bucket, int bytes, boolean holds)
      throws IOException {
    try (FileSystem fs = open(bucket, Map.of())) {
      if (bucket.equals("versioned")) {
        CephFixture.version(CephFixture.client(fs), bucket, BucketVersioningStatus.ENABLED);
      }
      Path file = new Path("/conditional-" + bytes);
      assertEquals("", write(ifAbsent(fs, file), bytes));
      String again = write(ifAbsent(fs, file), bytes);
      assertEquals(holds, again.contains("412"), again);
      assertEquals(holds, !again.isEmpty(), again);
    }
  }

  private static FSDataOutputStreamBuilder<?, ?> ifAbsent(FileSystem fs, Path file)
      throws IOException {
    FSDataOutputStreamBuilder<?, ?> builder = fs.createFile(file).overwrite(true);
    builder.must(CreateFileOptionKeys.FS_OPTION_CREATE_CONDITIONAL_OVERWRITE, true);
    return builder;
  }

  @Test
  void uploadsLeftBehindAreListedByPrefixAndAbortedByRuleAndByDelete() throws Exception {
    try (FileSystem fs = open("plain", Map.of())) {
      S3Client client = CephFixture.client(fs);
      for (String key : List.of("left/one", "other/two")) {
        client.createMultipartUpload(b -> b.bucket("plain").key(key));
      }
      assertEquals(List.of("left/one"), CephFixture.uploads(client, "plain", "left/"));
      // As the profile sets it: what a job left below a dir goes with the dir.
      fs.mkdirs(new Path("/left/dir"));
      assertTrue(fs.delete(new Path("/left"), true));
      assertEquals(List.of(), CephFixture.uploads(client, "plain", "left/"));
      CephFixture.rule(
          client,
          "plain",
          it -> it.abortIncompleteMultipartUpload(days -> days.daysAfterInitiation(1)));
      assertNotEquals(List.of(), CephFixture.uploads(client, "plain", ""));
      Eventually.holds(
          "the rule is applied",
          () -> {
            // A day takes a second.
            CEPH.cluster().administer("lc", "process", "--rgw-lc-debug-interval=1");
            return CephFixture.uploads(client, "plain", "").isEmpty();
          });
    }
  }
}
