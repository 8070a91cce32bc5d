// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.temptier.fixtures.Needs.NeedsCeph;
import io.temptier.lab.ceph.SoundSetUp.Diagnosis;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.DefaultRetention;
import software.amazon.awssdk.services.s3.model.ObjectLockEnabled;
import software.amazon.awssdk.services.s3.model.ObjectLockRetentionMode;

/**
 * What people get wrong in settings, buckets and rights, each seeded into a set-up that is sound on
 * a real gateway, and what {@code temptier s3a doctor} says of it: what is wrong, and what to do.
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

  /** A setting of a job, and what is said of it. */
  @ParameterizedTest
  @CsvSource({
    "mapreduce.outputcommitter.factory.scheme.s3a, org.example.None, no such factory",
    "mapreduce.outputcommitter.factory.class, org.example.None, no such factory",
    "fs.s3a.connection.maximum, 1, the gateway is not at fault",
  })
  void aSettingThatEveryJobStumblesOverIsAnError(String key, String value, String says)
      throws IOException {
    SOUND
        .doctor(SOUND.with(), SoundSetUp.BUCKET, "-D" + key + "=" + value)
        .failed("ERROR " + key + " = " + value, says)
        .lacks("ERROR fs.s3a.endpoint");
  }

  @Test
  void thePrefetchStreamIsBlamedOnThePropertyThatChoosesIt() throws IOException {
    SOUND
        .doctor(SOUND.with("fs.s3a.prefetch.enabled", "true"))
        .says("WARNING fs.s3a.prefetch.enabled = true")
        .lacks("fs.s3a.input.stream.type = classic");
  }

  @Test
  void aPathThatIsAFileOrBelowOneIsNoFolderForJobs() throws IOException {
    SOUND.makeBucket("flat");
    SOUND.store(
        "flat",
        client -> client.putObject(it -> it.bucket("flat").key("a"), RequestBody.fromString("a")));
    for (String path : List.of("flat/a", "flat/a/b")) {
      SOUND.doctor(SOUND.with(), path).failed("ERROR path", "is a file: jobs cannot make");
    }
  }

  /** Nobody listens on a port of the system; the doctor's first request asks past it. */
  @Test
  void aProxyThatTheSdkTakesFromTheJvmIsBlamed() throws Exception {
    SOUND
        .smallDoctor(SOUND.with(), "-Dhttp.proxyHost=127.0.0.1", "-Dhttp.proxyPort=1")
        .failed("WARNING proxy", "ERROR proxy = 127.0.0.1", "NO_PROXY")
        .lacks("Nothing listens there");
  }

  @Test
  void aSoundSetUpIsReadyAndNothingIsLeft() throws IOException {
    SOUND.makeBucket("sound");
    SOUND.abortUploads("sound");
    Diagnosis diagnosis = SOUND.doctor(SOUND.with(), "sound").passed();
    for (String topic :
        List.of("Settings", "Connection", "Bucket", "Reads", "Clean-up", "Upload buffers")) {
      diagnosis.says(topic + ": ok");
    }
    diagnosis.says(
        "Ready: what was asked was answered (answer, open, list, read,",
        "Not tried: many tasks at a time");
    assertFalse(diagnosis.text().matches("(?s).*Not (asked|answered).*"), diagnosis.text());
    assertEquals(List.of(), SOUND.names(0, "sound"));
  }

  @Test
  void nothingIsWrittenWhenNothingMayBe() throws IOException {
    S3Account reader = SOUND.owner("reader");
    SOUND.makeBucket("open");
    SOUND.store("open", client -> client.putBucketAcl(it -> it.bucket("open").acl("public-read")));
    SOUND
        .doctor(reader, "open")
        .failed(
            "The store knows the user and forbids this: to write there needs s3:PutObject.",
            "(make an empty file; the store: status 403 AccessDenied, request tx");
    SOUND
        .doctor(reader, "open", "--read-only")
        .passed("Not asked, since it would write to make an empty file");
    SOUND
        .doctor(SOUND.with("fs.s3a.s3.signing-algorithm", ""), "open", "--read-only")
        .says("Not tried, since nothing was written.");
    assertEquals(List.of(), SOUND.names(0, "open"));
  }

  @Test
  void aCredentialStoreThatCannotBeReadIsNamed() throws IOException {
    String garbage = Files.writeString(SOUND.dir().resolve("keys.jceks"), "no keys").toString();
    for (String store : List.of("jceks://file" + garbage, "jceks://hdfs@127.0.0.1:9/keys.jceks")) {
      SOUND
          .doctor(SOUND.with("hadoop.security.credential.provider.path", store))
          .failed("ERROR hadoop.security.credential.provider.path", "hadoop credential list");
    }
  }

  /** The gateway answers with 403 and nothing else that would tell. */
  @Test
  void whoDoesNotPayIsToldSo() throws IOException {
    Map<String, String> conf = SOUND.cluster().s3aProperties(SOUND.owner("payer"));
    SOUND.makeBucket("paid");
    SOUND.store(
        "paid",
        client ->
            client.putBucketRequestPayment(
                it -> it.bucket("paid").requestPaymentConfiguration(to -> to.payer("Requester"))));
    allow(
        "paid",
        "payer",
        "{@,'Action':'s3:*','Resource':['arn:aws:s3:::paid','arn:aws:s3:::paid/*']}");
    SOUND.doctor(conf, "paid").failed("set fs.s3a.requester.pays.enabled");
    conf.put("fs.s3a.requester.pays.enabled", "true");
    SOUND.doctor(conf, "paid").passed("Ready");
  }

  @Test
  void whoMayNotDeleteIsToldOnce() throws IOException {
    S3Account keeper = SOUND.cluster().newAccount("keeper", "--op-mask=read,write");
    SOUND.cluster().makeBucket(keeper, "keeper");
    SOUND
        .doctor(keeper, "keeper")
        .failed("ERROR s3:DeleteObject", "op_mask")
        .lacks("ERROR   fs.s3a.multiobjectdelete.enable");
  }

  @Test
  void aUserOfATenantIsToldWhoseBucketsItSees() throws IOException {
    SOUND
        .doctor(SOUND.cluster().newAccount("bob", "--tenant=acme"), SoundSetUp.BUCKET)
        .failed("There is no such bucket", "a user of a tenant sees that tenant's only");
  }

  /** What an administrator does to users, and what is said of it, with " & " between. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          lazy | user suspend | is suspended & radosgw-admin user enable
          poor | quota set --quota-scope=user --max-objects=1 & quota enable --quota-scope=user \
               | ERROR quota & 403 QuotaExceeded & raise the quota (Ceph: radosgw-admin quota set
          """)
  void whatAnAdministratorDidIsToldWithItsRemedy(String user, String commands, String says)
      throws IOException {
    S3Account account = SOUND.owner(user, user);
    for (String command : commands.split(" & ", -1)) {
      SOUND.cluster().administer((command + " --uid=" + user).split(" ", -1));
    }
    SOUND.doctor(account, user).failed(says.split(" & ", -1));
  }

  /** One line, with what the policy allows. */
  private static void allow(String bucket, String user, String statements) throws IOException {
    String policy =
        ("{\"Version\":\"2012-10-17\",\"Statement\":[" + statements + "]}")
            .replace(
                "@",
                "\"Effect\":\"Allow\",\"Principal\":{\"AWS\":[\"arn:aws:iam:::user/"
                    + user
                    + "\"]}")
            .replace("'", "\"");
    SOUND.store(bucket, client -> client.putBucketPolicy(it -> it.bucket(bucket).policy(policy)));
  }

  private static final String TEAM_OBJECTS =
      ",{@,'Action':['s3:GetObject','s3:PutObject','s3:DeleteObject',"
          + "'s3:AbortMultipartUpload'],'Resource':'arn:aws:s3:::shared/team/*'}";

  @Test
  void whoMayOnlyOneFolderIsReadyThereAndToldSoElsewhere() throws IOException {
    Map<String, String> conf = SOUND.cluster().s3aProperties(SOUND.owner("tenant"));
    SOUND.makeBucket("shared");
    allow(
        "shared",
        "tenant",
        "{@,'Action':['s3:ListBucket'],'Resource':'arn:aws:s3:::shared',"
            + "'Condition':{'StringLike':{'s3:prefix':['team/*']}}}"
            + TEAM_OBJECTS);
    SOUND
        .doctor(conf, "shared/team")
        .failed("ERROR s3:ListBucket", "without the condition s3:prefix");
    allow(
        "shared",
        "tenant",
        "{@,'Action':['s3:ListBucket'],'Resource':'arn:aws:s3:::shared'}" + TEAM_OBJECTS);
    SOUND.doctor(conf, "shared").failed("ERROR s3:PutObject");
    SOUND
        .doctor(conf, "shared/team")
        .failed("ERROR fs.s3a.multiobjectdelete.enable", "<value>false</value>");
    conf.put("fs.s3a.multiobjectdelete.enable", "false");
    Diagnosis there =
        SOUND
            .doctor(conf, "shared/team")
            .passed("Ready", "The store does not tell these keys", "s3:ListBucketMultipartUploads");
    SOUND.store(
        "shared",
        client ->
            assertEquals(
                0,
                client.listObjectsV2(it -> it.bucket("shared")).contents().size(),
                there.text()));
  }

  @Test
  void theRightThatIsMissingIsNamedWhereNothingCanBeDeleted() throws IOException {
    S3Account writer = SOUND.owner("writer");
    SOUND.makeBucket("kept");
    allow(
        "kept",
        "writer",
        "{@,'Action':['s3:ListBucket'],'Resource':'arn:aws:s3:::kept'},"
            + "{@,'Action':['s3:GetObject','s3:PutObject'],'Resource':'arn:aws:s3:::kept/*'}");
    SOUND.doctor(writer, "kept").failed("ERROR s3:DeleteObject", "It could not be removed: ");
  }

  @Test
  void oldVersionsOfASuspendedVersioningAreTold() throws IOException {
    SOUND.makeBucket("once");
    for (BucketVersioningStatus status :
        List.of(BucketVersioningStatus.ENABLED, BucketVersioningStatus.SUSPENDED)) {
      SOUND.store(
          "once",
          client -> {
            CephFixture.version(client, "once", status);
            client.putObject(it -> it.bucket("once").key("a"), RequestBody.fromString("a"));
          });
    }
    SOUND.doctor(SOUND.with(), "once").passed("WARNING versioning = Suspended, with 1 old");
  }

  @Test
  void aRuleThatDeletesWhatJobsWriteIsTold() throws IOException {
    SOUND.makeBucket("fading");
    SOUND.store(
        "fading",
        client -> CephFixture.rule(client, "fading", it -> it.expiration(when -> when.days(3))));
    SOUND
        .doctor(SOUND.with(), "fading")
        .passed("WARNING lifecycle = * after 3 days", "INFO lifecycle = no rule aborts uploads");
  }

  @Test
  void objectLockIsToldWithItsRetention() throws IOException {
    SOUND.store(
        SoundSetUp.BUCKET,
        client -> client.createBucket(it -> it.bucket("locked").objectLockEnabledForBucket(true)));
    SOUND.doctor(SOUND.with(), "locked").passed("WARNING object lock = enabled");
    DefaultRetention day =
        DefaultRetention.builder().mode(ObjectLockRetentionMode.GOVERNANCE).days(1).build();
    SOUND.store(
        "locked",
        client ->
            client.putObjectLockConfiguration(
                it ->
                    it.bucket("locked")
                        .objectLockConfiguration(
                            lock ->
                                lock.objectLockEnabled(ObjectLockEnabled.ENABLED)
                                    .rule(rule -> rule.defaultRetention(day)))));
    SOUND.doctor(SOUND.with(), "locked", "--read-only").says("Mode=GOVERNANCE, Days=1");
  }

  @Test
  void aPolicyThatForbidsIsTold() throws IOException {
    SOUND.makeBucket("strict");
    allow(
        "strict",
        "nobody",
        "{'Effect':'Deny','Principal':'*','Action':'s3:PutBucketAcl',"
            + "'Resource':'arn:aws:s3:::strict'}");
    SOUND
        .doctor(SOUND.with(), "strict", "--read-only")
        .passed("INFO bucket policy = ", "s3:PutBucketAcl");
  }

  /** The gateway's limits, at the job's sizes. */
  @ParameterizedTest
  @CsvSource({
    "--rgw-max-put-size=8388608, 1, ERROR fs.s3a.multipart.size, rgw_max_put_size",
    "--rgw-multipart-min-part-size=8388608, 0, Ready, Ready",
    "--rgw-delete-multi-obj-max-num=100, 1, ERROR fs.s3a.bulk.delete.page.size, rgw_delete_multi",
  })
  void aLimitOfTheGatewayIsMetAtTheJobsSize(String option, int code, String key, String says)
      throws IOException {
    URI limited = SOUND.startMore(option);
    Map<String, String> conf = SOUND.at(limited);
    conf.put("fs.s3a.multipart.size", "16M");
    SOUND.doctor(conf).ends(code, key, says);
  }

  @Test
  void readOnlySendsNothingThatWritesByTheGatewaysLog() throws IOException {
    Map<String, String> purging =
        SOUND.with("fs.s3a.multipart.purge", "true", "fs.s3a.multipart.purge.age", "0");
    GatewayLog log = SOUND.cluster().log(0);
    log.next();
    SOUND.doctor(purging, SoundSetUp.BUCKET, "--read-only").passed();
    assertEquals(Set.of("GET"), methods(log));
    // The same log shows what writes.
    SOUND.doctor(purging).passed("Ready");
    assertEquals(Set.of("DELETE", "GET", "HEAD", "POST", "PUT"), methods(log));
  }

  private static Set<String> methods(GatewayLog log) throws IOException {
    Pattern answered = Pattern.compile(" beast: .*? \"([A-Z]+) /");
    return answered
        .matcher(log.nextLines())
        .results()
        .map(one -> one.group(1))
        .collect(Collectors.toSet());
  }

  @Test
  void aDelegationTokenIsAskedForWhereABindingIsSet() throws IOException {
    String key = "fs.s3a.delegation.token.binding";
    String binding = "org.apache.hadoop.fs.s3a.auth.delegation.FullCredentialsTokenBinding";
    SOUND.doctor(SOUND.with(key, binding), SoundSetUp.BUCKET, "--read-only").passed(", token)");
    SOUND.doctor(SOUND.with(key, "org.example.NoSuchBinding")).failed("ERROR " + key);
  }
}
