// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.fixtures.Needs.NeedsCeph;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;

/**
 * What people get wrong in settings and buckets, each seeded into a set-up that is sound on a real
 * gateway, and what {@code temptier s3a doctor} says of it: what is wrong, and what to do.
 */
@NeedsCeph
class StoreDoctorTroublesIT {
  @RegisterExtension static final SoundSetUp SOUND = new SoundSetUp(1);

  private static final String PURGE = "fs.s3a.multipart.purge";
  private static final String PURGE_AGE = "fs.s3a.multipart.purge.age";
  private static final int UPLOADS = 40;

  /**
   * An exit code, settings with " ; " between, and what is said, with " & " between: {@code KEY:=
   * VALUE} is the property to paste, {@code GATEWAY} the gateway's address, {@code HOST} its name.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 | fs.s3a.s3.signing-algorithm= | ERROR fs.s3a.s3.signing-algorithm & The store refuses uploads of 0 bytes & fs.s3a.s3.signing-algorithm:=AWS4UnsignedPayloadSignerType
          1 | fs.s3a.create.checksum.algorithm=SHA256 ; fs.s3a.s3.signing-algorithm= | ERROR fs.s3a.s3.signing-algorithm & fs.s3a.s3.signing-algorithm:=AWS4UnsignedPayloadSignerType
          1 | fs.s3a.optimized.copy.from.local.enabled=true | ERROR fs.s3a.optimized.copy.from.local.enabled & a local file cannot be copied & fs.s3a.optimized.copy.from.local.enabled:=false
          1 | fs.s3a.secret.key=hunter2hunter2 | ERROR fs.s3a.secret.key & the secret key is wrong & Put in the secret key & (core-site.xml, line
          1 | fs.s3a.access.key=NOSUCHKEY | ERROR fs.s3a.access.key & no user with this access key & Compare the access key
          1 | fs.s3a.access.key=s | ERROR fs.s3a.access.key = <redacted> & The store knows no user with this access key
          1 | fs.s3a.committer.name=directory ; fs.defaultFS=hdfs://127.0.0.1:9 | ERROR fs.defaultFS & The store is not at fault
          1 | fs.s3a.connection.part.upload.timeout=5 | ERROR fs.s3a.connection.part.upload.timeout & Uploads do not end within & fs.s3a.connection.part.upload.timeout:=15m
          0 | fs.s3a.create.checksum.algorithm=SHA1 | Settings: ok
          1 | fs.s3a.create.storage.class=GLACIER | ERROR fs.s3a.create.storage.class & no such storage class
          1 | fs.s3a.encryption.algorithm=SSE-KMS | ERROR fs.s3a.encryption.algorithm & over https only (rgw_crypt_require_ssl)
          1 | fs.s3a.encryption.algorithm=AES256 | ERROR fs.s3a.encryption.algorithm & over https only (rgw_crypt_require_ssl)
          1 | fs.s3a.encryption.algorithm=SSE-C ; fs.s3a.encryption.key=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= | ERROR fs.s3a.encryption.algorithm & over https only (rgw_crypt_require_ssl)
          0 | fs.s3a.create.conditional.enabled=true | INFO fs.s3a.create.conditional.enabled & heeds the condition of a file of one request, and not of one in parts
          1 | fs.s3a.aws.credentials.provider=org.apache.hadoop.fs.s3a.AnonymousAWSCredentialsProvider | ERROR fs.s3a.aws.credentials.provider & Requests go without keys
          0 | fs.s3a.endpoint.region= | fs.s3a.endpoint.region & Signatures hold a region & fs.s3a.endpoint.region:=us-east-1
          0 | fs.s3a.endpoint.region=eu-west-9 | Settings: ok & Ready
          1 | fs.s3a.endpoint=GATEWAY/s3 | ERROR fs.s3a.endpoint & Leave scheme, host and port only.
          1 | fs.s3a.endpoint=http://HOST ; fs.s3a.path.style.access=false | ERROR fs.s3a.path.style.access & fs.s3a.path.style.access:=true
          """)
  void aSettingIsToldWithItsRemedy(int code, String settings, String says) throws IOException {
    String gateway = SOUND.gateway(0);
    String host = gateway.replace("http://127.0.0.1", "localhost");
    Map<String, String> conf = SOUND.with();
    for (String each : settings.split(" ; ", -1)) {
      String[] keyAndValue = each.split("=", 2);
      conf.put(keyAndValue[0], keyAndValue[1].replace("GATEWAY", gateway).replace("HOST", host));
    }
    Diagnosis diagnosis = SOUND.doctor(conf).ends(code);
    for (String each : says.split(" & ", -1)) {
      diagnosis.says(
          each.replaceFirst("(.*):=(.*)", "<property><name>$1</name><value>$2</value></property>"));
    }
  }

  @Test
  void aBucketThatIsNotThereIsTold() throws IOException {
    SOUND
        .doctor(SOUND.with(), "no-such-bucket")
        .failed("ERROR bucket", "There is no such bucket", "make the");
  }

  @Test
  void blocksThatOutgrowAContainerAreNamedByADoctorWithASmallHeap() throws Exception {
    SOUND
        .smallDoctor(
            SOUND.with(
                "fs.s3a.fast.upload.buffer",
                "array",
                "fs.s3a.multipart.size",
                "64M",
                "fs.s3a.fast.upload.active.blocks",
                "32"))
        .passed("can run out of memory", "disk always holds", "Writes");
  }

  @Test
  void openUploadsAreTold() throws IOException {
    String bucket = "littered";
    litter(bucket);
    assertLittered(
        bucket,
        SOUND
            .doctor(SOUND.with(), bucket)
            .passed(
                "INFO uploads = 40 not completed since 20",
                "AbortIncompleteMultipartUpload",
                "hadoop s3guard uploads -abort"));
  }

  private static void litter(String bucket) throws IOException {
    SOUND.makeBucket(bucket);
    SOUND.store(
        bucket,
        client -> {
          for (int i = 0; i < UPLOADS; i++) {
            String key = "left-" + i;
            client.createMultipartUpload(request -> request.bucket(bucket).key(key));
          }
        });
  }

  private static void assertLittered(String bucket, Diagnosis then) throws IOException {
    SOUND.store(
        bucket,
        client ->
            assertEquals(UPLOADS, CephFixture.uploads(client, bucket, "").size(), then.text()));
  }

  @Test
  void aPurgeAtOpeningIsToldAndNotDone() throws IOException {
    String bucket = "purged";
    litter(bucket);
    Map<String, String> purging =
        SOUND.with(PURGE, "true", PURGE_AGE, "0", "fs.s3a.bucket.purged.multipart.purge", "true");
    for (String[] options : new String[][] {{"--read-only"}, {}}) {
      Diagnosis diagnosis = SOUND.doctor(purging, bucket, options);
      assertLittered(bucket, diagnosis);
      diagnosis.passed(
          "WARNING " + PURGE + " = true",
          "aborts all uploads of the bucket that were begun more than 0 s before");
    }
  }

  @Test
  void versionsAreNamedAndWhatTheyDoToConditionalCreate() throws IOException {
    String bucket = "versioned";
    SOUND.makeBucket(bucket);
    SOUND.store(
        bucket, client -> CephFixture.version(client, bucket, BucketVersioningStatus.ENABLED));
    SOUND
        .doctor(SOUND.with(), bucket)
        .passed(
            "WARNING versioning = Enabled",
            "NoncurrentVersionExpiration",
            "WARNING fs.s3a.create.conditional.enabled",
            "heeds no condition, as Ceph does in a bucket with versions");
  }
}
