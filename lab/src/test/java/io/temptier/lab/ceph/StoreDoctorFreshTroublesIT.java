// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.temptier.fixtures.Needs.NeedsCeph;
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

/** What a job meets at its own sizes, with its own rights, on its own path of a real gateway. */
@NeedsCeph
class StoreDoctorFreshTroublesIT {
  @RegisterExtension static final SoundSetUp SOUND = new SoundSetUp(1);

  @Test
  void aSoundSetUpIsReadyAndNothingIsLeft() throws IOException {
    Diagnosis diagnosis = SOUND.doctor(SOUND.with()).passed();
    for (String topic :
        List.of("Settings", "Connection", "Bucket", "Reads", "Clean-up", "Upload buffers")) {
      diagnosis.says(topic + ": ok");
    }
    diagnosis.says(
        "Ready: what was asked was answered (answer, open, list, read,",
        "Not tried: many tasks at a time");
    assertFalse(diagnosis.text().matches("(?s).*Not (asked|answered).*"), diagnosis.text());
    assertEquals(List.of(), SOUND.names(0, SoundSetUp.BUCKET));
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
