// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.FakeNodes;
import io.temptier.cli.Ran;
import io.temptier.cli.Run;
import io.temptier.cli.SiteFiles;
import io.temptier.cli.doctor.Rollout;
import io.temptier.cli.main.Main;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.fixtures.Programs;
import io.temptier.fixtures.StableNames;
import io.temptier.fixtures.Texts;
import io.temptier.s3a.profile.Profile;
import io.temptier.s3a.profile.S3aWorkload;
import io.temptier.s3a.profile.UploadBufferPlan;
import io.temptier.tier.Medium;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.text.Finding;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Without a store: what settings show, and that nothing is there. */
class StoreDoctorCommandTest {
  private static final String SECRET = "hunter2hunter2";

  @TempDir private Path folder;
  @RegisterExtension private final FakeNodes servers = new FakeNodes();

  /** Sound settings for a gateway that is not there: nobody listens on a port of the system. */
  private static Map<String, String> sound() {
    Map<String, String> conf = new LinkedHashMap<>();
    conf.put("fs.s3a.endpoint", "http://127.0.0.1:1");
    conf.put("fs.s3a.endpoint.region", "us-east-1");
    conf.put("fs.s3a.connection.ssl.enabled", "false");
    conf.put("fs.s3a.path.style.access", "true");
    conf.put("fs.s3a.s3.signing-algorithm", "AWS4UnsignedPayloadSignerType");
    conf.put("fs.s3a.input.stream.type", "classic");
    conf.put("fs.s3a.committer.name", "magic");
    conf.put("fs.s3a.committer.abort.pending.uploads", "false");
    conf.put("fs.s3a.access.key", "ACCESSKEY");
    conf.put("fs.s3a.secret.key", SECRET);
    return conf;
  }

  private Run doctor(Map<String, String> conf, String... more) throws IOException {
    Path file = SiteFiles.write(folder.resolve("core-site.xml"), conf);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return Run.of(List.of("s3a", "doctor", "--conf-dir", folder.toString(), "s3a://data/"), more);
  }

  @Test
  void soundSettingsHaveNothingButTheGatewayThatIsDown() throws IOException {
    doctor(sound())
        .failed()
        .says(
            "Settings: ok",
            "Upload buffers: ok",
            "Nothing listens there",
            "core-site.xml, line 2",
            "Not asked, since it could only fail, too",
            "Not ready: 1 error, no warnings, no remarks.")
        .lacks(SECRET);
  }

  /** Settings with a blank between, over sound ones, and what is said of them. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          fs.s3a.connection.ssl.enabled=true | The endpoint says http and wins
          fs.s3a.endpoint.region= | Signatures hold a region
          fs.s3a.endpoint.region= | <value>us-east-1</value>
          fs.s3a.path.style.access=false | Requests go to BUCKET.HOST
          fs.s3a.readahead.range=1K | Each gap beyond it ends a request
          fs.s3a.readahead.range=8M | fetched 1558 MB for 102
          fs.s3a.experimental.input.fadvise=randon | S3A knows no such policy
          fs.s3a.change.detection.mode=none | <value>server</value>
          fs.s3a.connection.timeout=5 | S3A takes 15 s, its least
          fs.s3a.connection.timeout=5 | <value>15s</value>
          fs.s3a.connection.timeout=soon | This is no time
          fs.s3a.connection.part.upload.timeout=5 | An upload that takes longer fails
          fs.s3a.connection.part.upload.timeout=6 | <value>15m</value>
          fs.s3a.connection.part.upload.timeout=soon | <value>15m</value>
          fs.s3a.connection.maximum=50 | requests wait for one
          fs.s3a.connection.maximum=50 | <value>500</value>
          fs.s3a.bucket.data.connection.maximum=10 | fs.s3a.connection.maximum = 10 (fs.s3a.bucket.data.connection.maximum
          fs.s3a.input.stream.type=prefetch | The prefetch stream failed
          fs.s3a.create.storage.class=COLD | writes to STANDARD
          fs.s3a.bulk.delete.page.size=2000 | S3A takes 1000 at most
          fs.s3a.committer.name=file | Jobs commit by renaming
          fs.s3a.committer.name=majic | S3A has no such committer
          fs.s3a.committer.magic.enabled=false | switched off: jobs fail
          fs.s3a.committer.abort.pending.uploads=true | the second loses its output
          fs.s3a.fast.upload=true | Obsolete
          fs.s3a.readahed.range=1M | Did you mean fs.s3a.readahead.range?
          fs.s3a.fast.upload.buffer=ram | S3A knows no such buffer
          fs.s3a.fast.upload.buffer=bytebuffer mapreduce.map.memory.mb=1024 fs.s3a.multipart.size=512M | can run out of memory
          fs.s3a.multipart.size=1M | S3 takes 5 MiB and more
          fs.s3a.multipart.size=1M | Set it between 5M and 2047M
          fs.s3a.fast.upload.active.blocks=99999 fs.s3a.multipart.size=2000M | No space available in any
          fs.s3a.buffer.dir=/proc/version | is no folder that
          temptier.s3a.endpoints=DOWN | <value>io.temptier.s3a.endpoint.SpreadingS3ClientFactory</value>
          fs.s3a.s3.client.factory.impl=OURS temptier.s3a.endpoints=DOWN | INFO temptier.s3a.endpoints
          fs.s3a.s3.client.factory.impl=OURS | INFO temptier.s3a.endpoints
          fs.s3a.s3.client.factory.impl=OURS temptier.s3a.endpoints=DOWN temptier.s3a.endpoint.probe.interval=soon | ERROR temptier.s3a.endpoint.probe.interval = soon
          temptier.s3a.endpoint.failure=1 | Did you mean temptier.s3a.endpoint.failures?
          fs.s3a.s3.client.factory.impl=OURS temptier.s3a.endpoints=DOWN,http://127.0.0.1:2 fs.s3a.encryption.algorithm=CSE-KMS | S3A makes its clients itself
          fs.s3a.fast.upload.buffer=bytebuffer mapreduce.map.java.opts=-XX:MaxDirectMemorySize=64m | OutOfMemoryError
          fs.s3a.fast.upload.buffer=bytebuffer spark.executor.extraJavaOptions=-XX:MaxDirectMemorySize=64m | OutOfMemoryError
          """)
  void whatIsOffIsSaidWithItsConsequence(String settings, String text) throws IOException {
    Map<String, String> conf = sound();
    String given = settings.replace("DOWN", "http://127.0.0.1:1");
    given = given.replace("OURS", "io.temptier.s3a.endpoint.SpreadingS3ClientFactory");
    for (String setting : given.split(" ", -1)) {
      conf.put(setting.split("=", 2)[0], setting.split("=", 2)[1]);
    }
    doctor(conf).failed().says(text, "-->");
  }

  /** What S3A itself stumbles over once a gateway answers, whatever that would say. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          fs.s3a.create.checksum.algorithm=MD5 | S3A has no such algorithm here
          fs.s3a.acl.default=bucket-owner-full-control | no such ACL
          fs.s3a.signing-algorithm=S3SignerType | of an SDK before Hadoop 3.4
          fs.s3a.paging.maximum=0 | is below the minimum value
          fs.s3a.multipart.size=64MB | Invalid size prefix
          fs.s3a.aws.credentials.provider=org.apache.hadoop.fs.s3a.SimpelAWSCredentialsProvider | is misspelt
          fs.s3a.aws.credentials.provider=software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider | none of these providers uses them
          fs.s3a.endpoint.fips=true | FIPS endpoints are AWS's
          fs.s3a.endpoint=GATEWAY/swift/v1 | Leave scheme, host and port only.
          fs.s3a.endpoint=GATEWAY/data | Leave scheme, host and port only.
          fs.s3a.endpoint=http//rgw:8080 | This is no URL
          fs.s3a.endpoint=http://rgw_1:8080 | has no underscore
          """)
  void whatS3aItselfRefusesIsSaid(String setting, String text) throws IOException {
    String[] keyAndValue = setting.split("=", 2);
    Map<String, String> conf = reached();
    conf.put(keyAndValue[0], keyAndValue[1].replace("GATEWAY", conf.get("fs.s3a.endpoint")));
    doctor(conf).failed().says("ERROR " + keyAndValue[0], text, "-->");
  }

  @ParameterizedTest
  @CsvSource({"tenant:bucket, the bucket of another tenant", "my_bucket, no underscore"})
  void aNameThatS3aTakesForNoBucketIsSaid(String bucket, String what) throws IOException {
    SiteFiles.write(folder.resolve("core-site.xml"), reached());
    Run.of("s3a", "doctor", "--conf-dir", folder.toString(), "s3a://" + bucket + "/")
        .failed()
        .says("ERROR bucket", what, "this side: ");
  }

  /** Sound settings for a gateway that refuses all it is asked. */
  private Map<String, String> reached() throws IOException {
    Map<String, String> conf = sound();
    String gateway =
        servers.serve(
            exchange -> {
              exchange.getResponseHeaders().set("x-amz-request-id", "tx1");
              FakeNodes.answer(exchange, 403, "");
            });
    conf.put("fs.s3a.endpoint", "http://" + gateway);
    return conf;
  }

  @Test
  void buffersOnASlowTierAreSaid() throws IOException {
    Path fast = Files.createDirectories(folder.resolve("fast"));
    Path slow = Files.createDirectories(folder.resolve("slow"));
    SiteFiles.write(
        folder.resolve("yarn-site.xml"),
        "yarn.nodemanager.local-dirs",
        fast + "," + slow,
        "temptier.local-dirs",
        "[NVME]" + fast + ",[DISK]" + slow);
    doctor(sound(), "-Dfs.s3a.buffer.dir=" + slow.resolve("s3a"))
        .says("WARNING fs.s3a.buffer.dir", "is on DISK", "Take the property out");
  }

  @Test
  @NeedsLoopDisk
  void aFullBufferDirIsSaidWithWhatIsFree() throws IOException {
    try (LoopDisk disk = LoopDisk.create(folder, 64 << 20)) {
      doctor(sound(), "-Dfs.s3a.buffer.dir=" + disk.path(), "-Dfs.s3a.multipart.size=64M")
          .says(
              "ERROR fs.s3a.buffer.dir",
              "are free, and one file takes up to 320 MiB",
              "Make room there, or name another dir");
    }
  }

  @Test
  void aFactoryOfSomebodyElseIsSaid() throws IOException {
    SiteFiles.write(
        folder.resolve("mapred-site.xml"), "mapreduce.outputcommitter.factory.scheme.s3a", "x.Y");
    doctor(sound()).says("MapReduce does not use S3A's committers", "(mapred-site.xml, line 2)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"fs.s3a.fast.upload.active.blocks", "mapreduce.map.memory.mb"})
  void whatIsNoNumberIsNotBlamedOnTheSizeOfParts(String key) throws IOException {
    doctor(sound(), "-D" + key + "=2g")
        .says("ERROR   " + key + " = 2g", "no whole number")
        .lacks("fs.s3a.multipart.size");
  }

  @Test
  void settingsOfAnotherBucketDoNotCount() throws IOException {
    doctor(sound(), "-Dfs.s3a.bucket.other.committer.name=file").lacks("Jobs commit by renaming");
  }

  @Test
  void keysThatEverybodyCanReadAreSaid() throws IOException {
    doctor(sound()).lacks("Every user of this machine");
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.copy(folder.resolve("core-site.xml"), open.resolve("core-site.xml"));
    Files.setPosixFilePermissions(
        open.resolve("core-site.xml"), PosixFilePermissions.fromString("rw-r--r--"));
    Run.of("s3a", "doctor", "--conf-dir", open.toString(), "s3a://data/")
        .says("Every user of this machine")
        .lacks("ACCESSKEY");
  }

  /** Advice may not say other than the profiles. */
  @ParameterizedTest
  @EnumSource(S3aWorkload.class)
  void profilesHaveNothingToMend(S3aWorkload workload) throws Exception {
    Map<String, String> conf = sound();
    Profile.of(
            workload,
            BucketSettings.hadoop().orElseThrow(),
            Profile.Committer.MAGIC,
            List.of(),
            UploadBufferPlan.unknown())
        .settings()
        .forEach(setting -> conf.put(setting.key(), setting.value()));
    String out = doctor(conf).out();
    assertTrue(out.contains("Settings: ok") || workload == S3aWorkload.DOCUMENT, out);
    assertFalse(out.contains("readahead") || out.contains("timeout"), out);
  }

  @Test
  void buffersOnAnHddAreSaid() throws IOException {
    SiteFiles.write(folder.resolve("core-site.xml"), "fs.s3a.buffer.dir", folder.toString());
    KernelClassifier hdds =
        new KernelClassifier() {
          @Override
          public Classification classify(Path path) {
            return Classification.of(Medium.DISK, "8:0", Set.of("sda"), Path.of("/"), "it turns");
          }
        };
    Rollout onHdd = Rollout.read(folder, hdds);
    List<Finding> found = new ArrayList<>();
    SettingsChecks.buffers(new BucketSettings("data", "/", onHdd, Map.of()), found::add);
    Texts.has(found.toString(), "is on an HDD", "Name a dir on an SSD");
  }

  @Test
  void whereS3aIsMissingThatIsSaid() throws Exception {
    doctor(sound()).lacks("Add Hadoop's optional tools");
    String withoutS3a =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.contains("awssdk") && !entry.contains("hadoop-aws"))
            .collect(Collectors.joining(File.pathSeparator));
    List<String> line =
        Programs.java(Main.class, "s3a", "doctor", "--conf-dir", folder, "s3a://data/");
    line.set(line.indexOf("-cp") + 1, withoutS3a);
    Ran.of(folder, Map.of(), line)
        .ends(
            ExitCodes.FAILED,
            "Add Hadoop's optional tools",
            "Not asked, since S3A is not on the class path");
  }

  @Test
  void jsonHasWhatIsInEffectWithItsOriginAndWithoutSecrets() throws IOException {
    Map<String, String> conf = sound();
    conf.put("fs.s3a.bucket.data.connection.maximum", "777");
    conf.put("fs.s3a.proxy.password", "geheim");
    conf.put("temptier.s3a.endpoints", "http://me:hunter@rgw1:8080,http://rgw2:8080");
    conf.put("fs.s3a.proxy.domain", "http//me:hunter@misspelt");
    Run run = doctor(conf, "--json", "-").lacks(SECRET, "geheim", "hunter@");
    JsonNode json = run.json().get("in_effect");
    assertEquals("777", json.at("/fs.s3a.connection.maximum/value").asText());
    Texts.has(
        json.toString(), "fs.s3a.bucket.data.connection.maximum", "\"64K\",\"origin\":\"default");
  }

  @Test
  void jsonHasTheSame() throws IOException {
    Run run = doctor(sound(), "--json", "-");
    StableNames.checkJson("s3a doctor", run.out(), StoreDoctorCommandTest.class);
    run.says(
        "\"key\" : \"fs.s3a.endpoint\"",
        "\"topic\" : \"connection\"",
        "\"it could only fail, too\"");
  }

  @Test
  void anEndpointThatHangsIsNotBlamedOnTheTimeOfUploads() throws IOException {
    Map<String, String> conf = sound();
    conf.put("fs.s3a.endpoint", "http://" + servers.hung(""));
    doctor(conf, "--seconds", "120", "-Dfs.s3a.connection.part.upload.timeout=5")
        .failed()
        .says("ERROR   fs.s3a.endpoint", "WARNING fs.s3a.connection.part.upload.timeout");
  }

  /** A gateway that takes connections and says nothing. */
  @Test
  void whatGetsNoAnswerIsNotReadyWithAnExitCodeOfItsOwn() throws IOException {
    Map<String, String> conf = sound();
    conf.put("fs.s3a.endpoint", "http://" + servers.hung(""));
    doctor(conf, "--seconds", "1")
        .ends(ExitCodes.UNANSWERED)
        .says(
            "Not answered, since time was over",
            "to list the path, to read a file that is there",
            "Not known to be ready: no errors, 1")
        .lacks("Ready");
    JsonNode json = doctor(conf, "--seconds", "1", "--json", "-").json();
    assertFalse(json.get("ready").asBoolean());
    assertTrue(json.get("unanswered").toString().contains("list the path"), json::toString);
    assertTrue(json.at("/unasked/time was over").size() > 8, json::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"data", "s3://data/", "s3a://me:hunter2@data/", "s3a:///"})
  void otherThanABucketIsWrongUse(String bucket) {
    Run.of("s3a", "doctor", "--conf-dir", folder.toString(), bucket)
        .misused("is no bucket: expected one such as s3a://bucket/")
        .lacks("hunter2");
  }

  @Test
  void aFolderWithoutFilesIsWrongUse() {
    Run.of("s3a", "doctor", "--conf-dir", folder.toString(), "s3a://data/")
        .misused("holds no core-site.xml");
  }
}
