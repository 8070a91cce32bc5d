// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.cli.ExitCodes;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.NeedsCeph;
import io.temptier.fixtures.NeedsLoopDisk;
import io.temptier.lab.cluster.SiteFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;

/**
 * What people get wrong in settings and buckets, each seeded into a set-up that is sound on a real
 * gateway, and what {@code temptier s3a doctor} says of it: what is wrong, and what to do.
 */
@NeedsCeph
class StoreDoctorTroublesIT {
  @RegisterExtension static final CephFixture CEPH = new CephFixture(1);

  private static final String PASTE = "<property><name>%s</name><value>%s</value></property>";

  private static final String PURGE = "fs.s3a.multipart.purge";
  private static final String PURGE_AGE = "fs.s3a.multipart.purge.age";
  private static final int UPLOADS = 40;

  private static SoundSetUp sound;

  @TempDir private Path dir;

  @BeforeAll
  static void start() throws IOException {
    sound = SoundSetUp.on(CEPH.cluster());
  }

  private static void store(String bucket, SoundSetUp.Task task) throws IOException {
    sound.store(bucket, task);
  }

  /** The value to paste stands for the property of that name; a text for itself. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | fs.s3a.s3.signing-algorithm | '' | The store refuses uploads of 0 bytes"
            + " | =AWS4UnsignedPayloadSignerType",
        "1 | fs.s3a.secret.key | hunter2hunter2 | the secret key is wrong | Put in the secret key",
        "1 | fs.s3a.access.key | NOSUCHKEY | no user with this access key | Compare the access key",
        "1 | fs.s3a.committer.magic.enabled | false | and switched off | =true",
        "1 | fs.s3a.buffer.dir | /proc/version | is no folder that | name another dir",
        "1 | fs.s3a.connection.part.upload.timeout | 5 | Uploads do not end within | =5m",
        "1 | fs.s3a.create.checksum.algorithm | MD5 | S3A has no such algorithm here | Make it"
            + " CRC32",
        "0 | fs.s3a.endpoint.region | '' | Signatures hold a region | =us-east-1",
        "0 | fs.s3a.connection.maximum | 50 | Timeout waiting for connection from pool | =500",
        "0 | fs.s3a.multipart.size | 1M | S3 takes 5 MiB and more | Set it between 5M and 2047M",
        "0 | fs.s3a.readahead.range | 1K | Each gap beyond it ends a request"
            + " | temptier s3a profile --workload mixed",
        "0 | fs.s3a.connection.timeout | 5 | S3A takes 15 s, its least | =15s",
      })
  void aSettingThatIsOffIsNamedWithItsRemedy(
      int code, String key, String value, String what, String remedy) throws IOException {
    Diagnosis diagnosis =
        sound.examined(
            dir,
            code,
            sound.with(key, value),
            SoundSetUp.BUCKET,
            what,
            code == 1 ? "ERROR " + key : key);
    diagnosis.says(remedy.startsWith("=") ? PASTE.formatted(key, remedy.substring(1)) : remedy);
  }

  @Test
  void aMissingBucketIsNamed() throws IOException {
    sound.examined(
        dir,
        ExitCodes.FAILED,
        sound.with(),
        "no-such-bucket",
        "There is no such bucket",
        "make the");
  }

  @Test
  void bucketsInHostNamesAreNamed() throws IOException {
    String name = sound.gateway(0).replace("127.0.0.1", "localhost");
    sound.fails(
        dir,
        sound.with("fs.s3a.endpoint", name, "fs.s3a.path.style.access", "false"),
        "ERROR fs.s3a.path.style.access",
        PASTE.formatted("fs.s3a.path.style.access", "true"));
  }

  @Test
  void buffersOnASlowTierAreNamed() throws IOException {
    Path fast = Files.createDirectories(dir.resolve("fast"));
    Path slow = Files.createDirectories(dir.resolve("slow"));
    SiteFile.write(
        dir.resolve("yarn-site.xml"),
        Map.of(
            "yarn.nodemanager.local-dirs",
            fast + "," + slow,
            "temptier.local-dirs",
            "[NVME]" + fast + ",[DISK]" + slow));
    sound.passes(
        dir,
        sound.with("fs.s3a.buffer.dir", slow.resolve("s3a").toString()),
        "WARNING fs.s3a.buffer.dir",
        "is on DISK",
        "Take the property out");
  }

  @Test
  @NeedsLoopDisk
  void aFullBufferDirIsNamedWithWhatIsFree() throws IOException {
    try (LoopDisk disk = LoopDisk.create(dir, 64 << 20)) {
      Path mount = disk.path();
      Path buffers = Files.createDirectories(mount.resolve("s3a"));
      long free = Files.getFileStore(buffers).getUsableSpace();
      Files.write(mount.resolve("others"), new byte[(int) (free - (2 << 20))]);
      sound.fails(
          dir,
          sound.with("fs.s3a.buffer.dir", buffers.toString()),
          "ERROR fs.s3a.buffer.dir",
          "are free, and one file takes up to 320 MiB",
          "Make room there");
    }
  }

  @Test
  void aQuotaIsNamed() throws IOException {
    S3Account poor = sound.ceph().newAccount("poor");
    sound.ceph().administer("quota", "set", "--uid=poor", "--quota-scope=user", "--max-objects=1");
    sound.ceph().administer("quota", "enable", "--uid=poor", "--quota-scope=user");
    sound.ceph().makeBucket(poor, "full");
    sound.examined(
        dir,
        ExitCodes.FAILED,
        sound.ceph().s3aProperties(poor),
        "full",
        "ERROR quota",
        "403 QuotaExceeded",
        "raise the quota (Ceph: radosgw-admin quota set");
  }

  @Test
  void blocksThatOutgrowAContainerAreNamedByADoctorWithASmallHeap() throws Exception {
    Diagnosis diagnosis =
        Diagnosis.ofOtherJvm(
            dir,
            sound.with("fs.s3a.fast.upload.buffer", "array", "fs.s3a.multipart.size", "512M"),
            SoundSetUp.BUCKET,
            "-Dany=thing");
    diagnosis.endsWith(ExitCodes.FINE);
    diagnosis.says("can run out of memory");
    diagnosis.says("disk always holds");
    diagnosis.says("Writes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"CRC32", "CRC32C", "SHA1", "SHA256"})
  void checksumsPassWithTheSignerOfTheProfiles(String algorithm) throws IOException {
    sound.passes(dir, sound.with("fs.s3a.create.checksum.algorithm", algorithm), "Settings: ok");
  }

  @Test
  void checksumsThatFailWithTheDefaultSignerAreItsFault() throws IOException {
    sound.fails(
        dir,
        sound.with("fs.s3a.create.checksum.algorithm", "SHA256", "fs.s3a.s3.signing-algorithm", ""),
        "ERROR fs.s3a.s3.signing-algorithm",
        PASTE.formatted("fs.s3a.s3.signing-algorithm", "AWS4UnsignedPayloadSignerType"));
  }

  @Test
  void openUploadsAreToldAndAbortedWhenAskedFor() throws IOException {
    String bucket = "littered";
    litter(bucket);
    sound.examined(
        dir,
        ExitCodes.FINE,
        sound.with(),
        bucket,
        "INFO uploads = 40 not completed since 20",
        "AbortIncompleteMultipartUpload",
        "--abort-uploads 7d");
    Diagnosis young = Diagnosis.of(dir, sound.with(), bucket, "--abort-uploads=7d");
    young.says("uploads = 40 not completed since 20");
    Diagnosis.of(dir, sound.with(), bucket, "--abort-uploads=1ms")
        .says("uploads = 40 not completed, 40 of them aborted now");
    assertEquals(0, openUploads(bucket));
  }

  private static void litter(String bucket) throws IOException {
    sound.ceph().makeBucket(sound.owner(), bucket);
    store(
        bucket,
        client -> {
          for (int i = 0; i < UPLOADS; i++) {
            String key = "left-" + i;
            client.createMultipartUpload(request -> request.bucket(bucket).key(key));
          }
        });
  }

  private static int openUploads(String bucket) throws IOException {
    AtomicInteger open = new AtomicInteger();
    store(
        bucket,
        client ->
            open.set(
                client.listMultipartUploads(request -> request.bucket(bucket)).uploads().size()));
    return open.get();
  }

  @Test
  void aPurgeAtOpeningIsToldAndNotDone() throws IOException {
    String bucket = "purged";
    litter(bucket);
    Map<String, String> purging =
        sound.with(PURGE, "true", PURGE_AGE, "0", "fs.s3a.bucket.purged.multipart.purge", "true");
    for (String[] options : new String[][] {{"--read-only"}, {}}) {
      Diagnosis diagnosis = Diagnosis.of(dir, purging, bucket, options);
      assertEquals(UPLOADS, openUploads(bucket), diagnosis.text());
      diagnosis.endsWith(ExitCodes.FINE);
      diagnosis.says("WARNING " + PURGE + " = true");
      diagnosis.says("aborts all uploads of the bucket that were begun more than 0 s before");
    }
  }

  @Test
  void versionsAreNamedAndWhatTheyDoToConditionalCreate() throws IOException {
    String bucket = "versioned";
    sound.ceph().makeBucket(sound.owner(), bucket);
    store(
        bucket,
        client ->
            client.putBucketVersioning(
                request ->
                    request
                        .bucket(bucket)
                        .versioningConfiguration(
                            conf -> conf.status(BucketVersioningStatus.ENABLED))));
    sound.examined(
        dir,
        ExitCodes.FINE,
        sound.with(),
        bucket,
        "WARNING versioning = Enabled",
        "NoncurrentVersionExpiration",
        "WARNING fs.s3a.create.conditional.enabled",
        "heeds no condition, as Ceph does in a bucket with versions");
  }

  @Test
  void aConditionThatHoldsForSmallFilesOnlyIsTold() throws IOException {
    sound.passes(
        dir,
        sound.with(),
        "INFO fs.s3a.create.conditional.enabled",
        "heeds the condition of a file of one request, and not of one in parts");
  }

  @Test
  void theBandwidthIsMeasuredWhenAskedFor() throws IOException {
    Diagnosis diagnosis = Diagnosis.of(dir, sound.with(), SoundSetUp.BUCKET, "--bandwidth=32m");
    diagnosis.endsWith(ExitCodes.FINE);
    diagnosis.says("bandwidth = 32 MiB written at");
  }
}
