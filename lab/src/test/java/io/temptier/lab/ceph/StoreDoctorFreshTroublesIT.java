// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.temptier.cli.ExitCodes;
import io.temptier.fixtures.NeedsCeph;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.DefaultRetention;
import software.amazon.awssdk.services.s3.model.ExpirationStatus;
import software.amazon.awssdk.services.s3.model.LifecycleRule;
import software.amazon.awssdk.services.s3.model.ObjectLockEnabled;
import software.amazon.awssdk.services.s3.model.ObjectLockRetentionMode;

/** What a job meets at its own sizes, with its own rights, on its own path of a real gateway. */
@NeedsCeph
class StoreDoctorFreshTroublesIT {
  @RegisterExtension static final CephFixture CEPH = new CephFixture(1);

  private static SoundSetUp sound;

  @TempDir private Path dir;

  @BeforeAll
  static void start() throws IOException {
    sound = SoundSetUp.on(CEPH.cluster());
  }

  /** A setting, the property that is blamed, and what is said of it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fs.s3a.committer.name | majic | fs.s3a.committer.name | S3A has no such committer",
        "fs.s3a.paging.maximum | 0 | fs.s3a.paging.maximum | is below the minimum value",
        "fs.s3a.multipart.size | 64MB | fs.s3a.multipart.size | Invalid size prefix",
        "fs.s3a.encryption.algorithm | SSE-KMS | fs.s3a.encryption.algorithm"
            + " | over https only (rgw_crypt_require_ssl)",
        "fs.s3a.encryption.algorithm | AES256 | fs.s3a.encryption.algorithm"
            + " | over https only (rgw_crypt_require_ssl)",
        "fs.s3a.encryption.algorithm | SSE-C | fs.s3a.encryption.algorithm"
            + " | over https only (rgw_crypt_require_ssl)",
        "fs.s3a.acl.default | bucket-owner-full-control | fs.s3a.acl.default | no such ACL",
        "fs.s3a.signing-algorithm | S3SignerType | fs.s3a.signing-algorithm"
            + " | of an SDK before Hadoop 3.4",
        "fs.s3a.endpoint.fips | true | fs.s3a.endpoint.fips | FIPS endpoints are AWS's",
        "fs.s3a.create.storage.class | GLACIER | fs.s3a.create.storage.class"
            + " | no such storage class",
        "fs.s3a.bulk.delete.page.size | 2000 | fs.s3a.bulk.delete.page.size | 1000 at most",
        "fs.s3a.aws.credentials.provider"
            + " | org.apache.hadoop.fs.s3a.AnonymousAWSCredentialsProvider"
            + " | fs.s3a.aws.credentials.provider | Requests go without keys",
        "fs.s3a.aws.credentials.provider | org.apache.hadoop.fs.s3a.SimpelAWSCredentialsProvider"
            + " | fs.s3a.aws.credentials.provider | is misspelt",
        "fs.s3a.aws.credentials.provider"
            + " | software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider"
            + " | fs.s3a.aws.credentials.provider | none of these providers uses them",
      })
  void thePropertyAtFaultIsBlamed(String key, String value, String blamed, String says)
      throws IOException {
    Map<String, String> conf = sound.with(key, value);
    if (value.equals("SSE-C")) {
      conf.put("fs.s3a.encryption.key", Base64.getEncoder().encodeToString(new byte[32]));
    }
    Diagnosis diagnosis = Diagnosis.of(dir, conf, SoundSetUp.BUCKET);
    diagnosis.endsWith(ExitCodes.FAILED);
    diagnosis.says("ERROR " + blamed);
    diagnosis.says(says);
  }

  @ParameterizedTest
  @CsvSource({
    "fs.s3a.experimental.input.fadvise, randon, S3A knows no such policy",
    "fs.s3a.change.detection.mode, none, <value>server</value>",
    "fs.s3a.create.storage.class, COLD, writes to STANDARD",
    "fs.s3a.committer.abort.pending.uploads, true, the second loses its output",
  })
  void whatHarmsInSilenceIsAWarning(String key, String value, String says) throws IOException {
    sound.passes(dir, sound.with(key, value), "WARNING " + key, says);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/s3", "/swift/v1", "/bucket"})
  void aPathInTheEndpointIsNamed(String path) throws IOException {
    sound.fails(
        dir,
        sound.with("fs.s3a.endpoint", sound.gateway(0) + path),
        "ERROR fs.s3a.endpoint",
        "Leave scheme, host and port only.");
  }

  @Test
  void aSchemeWithoutAColonIsNamed() throws IOException {
    sound.fails(
        dir,
        sound.with("fs.s3a.endpoint", sound.gateway(0).replace("http:", "http")),
        "ERROR fs.s3a.endpoint",
        "This is no URL");
  }

  @Test
  void aHostWithAnUnderscoreIsNamed() throws IOException {
    sound.fails(dir, sound.with("fs.s3a.endpoint", "http://rgw_1:8080"), "has no underscore");
  }

  @Test
  void aCredentialStoreThatCannotBeReadIsNamed() throws IOException {
    String garbage = Files.writeString(dir.resolve("keys.jceks"), "no keys").toString();
    for (String store : List.of("jceks://file" + garbage, "jceks://hdfs@127.0.0.1:9/keys.jceks")) {
      sound.fails(
          dir,
          sound.with("hadoop.security.credential.provider.path", store),
          "ERROR hadoop.security.credential.provider.path",
          "hadoop credential list");
    }
  }

  /** The gateway answers with 403 and nothing else that would tell. */
  @Test
  void whoDoesNotPayIsToldSo() throws IOException {
    S3Account payer = sound.ceph().newAccount("payer");
    sound.ceph().makeBucket(sound.owner(), "paid");
    sound.store(
        "paid",
        client ->
            client.putBucketRequestPayment(
                it -> it.bucket("paid").requestPaymentConfiguration(to -> to.payer("Requester"))));
    allow(
        "paid",
        "payer",
        "{@,'Action':'s3:*','Resource':['arn:aws:s3:::paid','arn:aws:s3:::paid/*']}");
    Map<String, String> conf = sound.ceph().s3aProperties(payer);
    sound.examined(dir, ExitCodes.FAILED, conf, "paid", "set fs.s3a.requester.pays.enabled");
    conf.put("fs.s3a.requester.pays.enabled", "true");
    sound.examined(dir, ExitCodes.FINE, conf, "paid", "Ready");
  }

  @Test
  void whoMayNotDeleteIsToldOnce() throws IOException {
    S3Account keeper = sound.ceph().newAccount("keeper", "--op-mask=read,write");
    sound.ceph().makeBucket(keeper, "keeper");
    Map<String, String> conf = sound.ceph().s3aProperties(keeper);
    String text =
        sound
            .examined(dir, ExitCodes.FAILED, conf, "keeper", "ERROR s3:DeleteObject", "op_mask")
            .text();
    assertFalse(text.contains("ERROR   fs.s3a.multiobjectdelete.enable"), text);
  }

  @ParameterizedTest
  @CsvSource({"tenant:bucket, the bucket of another tenant", "my_bucket, no underscore"})
  void aNameThatS3aCannotSayIsNotBlamedOnTheStore(String bucket, String says) throws IOException {
    sound.examined(
        dir, ExitCodes.FAILED, sound.with(), bucket, "ERROR bucket", says, "this side: ");
  }

  @Test
  void stagingCommittersWithoutTheirFileSystemAreNamed() throws IOException {
    sound.fails(
        dir,
        sound.with("fs.s3a.committer.name", "directory", "fs.defaultFS", "hdfs://127.0.0.1:9"),
        "ERROR fs.defaultFS",
        "The store is not at fault");
  }

  @Test
  void aSuspendedUserIsNamed() throws IOException {
    S3Account lazy = sound.ceph().newAccount("lazy");
    sound.ceph().makeBucket(lazy, "lazy");
    sound.ceph().administer("user", "suspend", "--uid=lazy");
    sound.examined(
        dir,
        ExitCodes.FAILED,
        sound.ceph().s3aProperties(lazy),
        "lazy",
        "is suspended",
        "radosgw-admin user enable");
  }

  @Test
  void aUserOfATenantIsToldWhoseBucketsItSees() throws IOException {
    S3Account bob = sound.ceph().newAccount("bob", "--tenant=acme");
    sound.examined(
        dir,
        ExitCodes.FAILED,
        sound.ceph().s3aProperties(bob),
        SoundSetUp.BUCKET,
        "There is no such bucket",
        "a user of a tenant sees that tenant's only");
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
    sound.store(bucket, client -> client.putBucketPolicy(it -> it.bucket(bucket).policy(policy)));
  }

  private static final String TEAM_OBJECTS =
      ",{@,'Action':['s3:GetObject','s3:PutObject','s3:DeleteObject',"
          + "'s3:AbortMultipartUpload'],'Resource':'arn:aws:s3:::shared/team/*'}";

  @Test
  void whoMayOnlyOneFolderIsReadyThereAndToldSoElsewhere() throws IOException {
    S3Account tenant = sound.ceph().newAccount("tenant");
    sound.ceph().makeBucket(sound.owner(), "shared");
    Map<String, String> conf = sound.ceph().s3aProperties(tenant);
    allow(
        "shared",
        "tenant",
        "{@,'Action':['s3:ListBucket'],'Resource':'arn:aws:s3:::shared',"
            + "'Condition':{'StringLike':{'s3:prefix':['team/*']}}}"
            + TEAM_OBJECTS);
    sound.examined(
        dir,
        ExitCodes.FAILED,
        conf,
        "shared/team",
        "ERROR s3:ListBucket",
        "without the condition s3:prefix");
    allow(
        "shared",
        "tenant",
        "{@,'Action':['s3:ListBucket'],'Resource':'arn:aws:s3:::shared'}" + TEAM_OBJECTS);
    sound.examined(dir, ExitCodes.FAILED, conf, "shared", "ERROR s3:PutObject");
    sound.examined(
        dir,
        ExitCodes.FAILED,
        conf,
        "shared/team",
        "ERROR fs.s3a.multiobjectdelete.enable",
        "<value>false</value>");
    conf.put("fs.s3a.multiobjectdelete.enable", "false");
    Diagnosis there = Diagnosis.of(dir, conf, "shared/team");
    there.endsWith(ExitCodes.FINE);
    there.says("Ready");
    there.says("The store does not tell these keys");
    there.says("s3:ListBucketMultipartUploads");
    sound.store(
        "shared",
        client ->
            assertEquals(
                0,
                client.listObjectsV2(it -> it.bucket("shared")).contents().size(),
                there.text()));
  }

  @Test
  void theRightThatIsMissingIsNamedWhereNothingCanBeDeleted() throws IOException {
    S3Account writer = sound.ceph().newAccount("writer");
    sound.ceph().makeBucket(sound.owner(), "kept");
    allow(
        "kept",
        "writer",
        "{@,'Action':['s3:ListBucket'],'Resource':'arn:aws:s3:::kept'},"
            + "{@,'Action':['s3:GetObject','s3:PutObject'],'Resource':'arn:aws:s3:::kept/*'}");
    sound.examined(
        dir,
        ExitCodes.FAILED,
        sound.ceph().s3aProperties(writer),
        "kept",
        "ERROR s3:DeleteObject",
        "It could not be removed: ");
  }

  @Test
  void oldVersionsOfASuspendedVersioningAreTold() throws IOException {
    sound.ceph().makeBucket(sound.owner(), "once");
    for (BucketVersioningStatus status :
        new BucketVersioningStatus[] {
          BucketVersioningStatus.ENABLED, BucketVersioningStatus.SUSPENDED
        }) {
      sound.store(
          "once",
          client -> {
            client.putBucketVersioning(
                it -> it.bucket("once").versioningConfiguration(v -> v.status(status)));
            client.putObject(it -> it.bucket("once").key("a"), RequestBody.fromString("a"));
          });
    }
    sound.examined(
        dir, ExitCodes.FINE, sound.with(), "once", "WARNING versioning = Suspended, with 1 old");
  }

  @Test
  void aRuleThatDeletesWhatJobsWriteIsTold() throws IOException {
    sound.ceph().makeBucket(sound.owner(), "fading");
    LifecycleRule rule =
        LifecycleRule.builder()
            .id("all")
            .status(ExpirationStatus.ENABLED)
            .filter(it -> it.prefix(""))
            .expiration(it -> it.days(3))
            .build();
    sound.store(
        "fading",
        client ->
            client.putBucketLifecycleConfiguration(
                it -> it.bucket("fading").lifecycleConfiguration(all -> all.rules(rule))));
    sound.examined(
        dir,
        ExitCodes.FINE,
        sound.with(),
        "fading",
        "WARNING lifecycle = * after 3 days",
        "INFO lifecycle = no rule aborts uploads");
  }

  @Test
  void objectLockIsToldWithItsRetention() throws IOException {
    sound.store(
        SoundSetUp.BUCKET,
        client -> client.createBucket(it -> it.bucket("locked").objectLockEnabledForBucket(true)));
    sound.examined(dir, ExitCodes.FINE, sound.with(), "locked", "WARNING object lock = enabled");
    DefaultRetention day =
        DefaultRetention.builder().mode(ObjectLockRetentionMode.GOVERNANCE).days(1).build();
    sound.store(
        "locked",
        client ->
            client.putObjectLockConfiguration(
                it ->
                    it.bucket("locked")
                        .objectLockConfiguration(
                            lock ->
                                lock.objectLockEnabled(ObjectLockEnabled.ENABLED)
                                    .rule(rule -> rule.defaultRetention(day)))));
    Diagnosis.of(dir, sound.with(), "locked", "--read-only").says("Mode=GOVERNANCE, Days=1");
  }

  @Test
  void aPolicyThatForbidsIsTold() throws IOException {
    sound.ceph().makeBucket(sound.owner(), "strict");
    allow(
        "strict",
        "nobody",
        "{'Effect':'Deny','Principal':'*','Action':'s3:PutBucketAcl',"
            + "'Resource':'arn:aws:s3:::strict'}");
    Diagnosis diagnosis = Diagnosis.of(dir, sound.with(), "strict", "--read-only");
    diagnosis.endsWith(ExitCodes.FINE);
    diagnosis.says("INFO bucket policy = ");
    diagnosis.says("s3:PutBucketAcl");
  }

  /** The gateway's limits, at the job's sizes. */
  @ParameterizedTest
  @CsvSource({
    "--rgw-max-put-size=33554432, 1, ERROR fs.s3a.multipart.size, rgw_max_put_size",
    "--rgw-multipart-min-part-size=16777216, 0, Ready, Ready",
    "--rgw-delete-multi-obj-max-num=100, 1, ERROR fs.s3a.bulk.delete.page.size, rgw_delete_multi",
  })
  void aLimitOfTheGatewayIsMetAtTheJobsSize(String option, int code, String key, String says)
      throws IOException {
    URI limited = Gateways.startMore(sound.ceph(), option);
    sound.examined(dir, code, sound.at(limited), SoundSetUp.BUCKET, key, says);
  }

  @Test
  void aKeyOfOneLetterGarblesNothing() throws IOException {
    Diagnosis diagnosis = Diagnosis.of(dir, sound.with("fs.s3a.access.key", "s"), "bucket");
    diagnosis.endsWith(ExitCodes.FAILED);
    diagnosis.says("The store knows no user with this access key");
    diagnosis.says("ERROR fs.s3a.access.key = <redacted>");
  }

  @Test
  void readOnlySendsNothingThatWritesByTheGatewaysLog() throws IOException {
    Map<String, String> purging =
        sound.with("fs.s3a.multipart.purge", "true", "fs.s3a.multipart.purge.age", "0");
    GatewayLog log = sound.ceph().log(0);
    log.next();
    Diagnosis diagnosis = Diagnosis.of(dir, purging, SoundSetUp.BUCKET, "--read-only");
    diagnosis.endsWith(ExitCodes.FINE);
    Map<String, Integer> methods = log.nextMethods();
    assertEquals(Set.of("GET", "HEAD"), methods.keySet());
    // The same log shows what writes.
    sound.passes(dir, purging, "Ready");
    Map<String, Integer> all = log.nextMethods();
    assertEquals(Set.of("DELETE", "GET", "HEAD", "POST", "PUT"), all.keySet());
  }

  @Test
  void aDelegationTokenIsAskedForWhereABindingIsSet() throws IOException {
    String key = "fs.s3a.delegation.token.binding";
    String binding = "org.apache.hadoop.fs.s3a.auth.delegation.FullCredentialsTokenBinding";
    Diagnosis diagnosis =
        Diagnosis.of(dir, sound.with(key, binding), SoundSetUp.BUCKET, "--read-only");
    diagnosis.endsWith(ExitCodes.FINE);
    diagnosis.says(", token)");
    sound.fails(dir, sound.with(key, "org.example.NoSuchBinding"), "ERROR " + key);
  }
}
