// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Ran;
import io.temptier.cli.Run;
import io.temptier.cli.SiteFiles;
import io.temptier.cli.Terminal;
import io.temptier.cli.doctor.Check.Heading;
import io.temptier.cli.main.Main;
import io.temptier.fixtures.Programs;
import io.temptier.fixtures.StableNames;
import io.temptier.fixtures.Trees;
import io.temptier.tier.text.Finding;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command, and what becomes of checks that find something, fail, hang, or are left out. */
class DoctorCommandTest {
  @TempDir Path dir;

  private String normal(String text) {
    return text.replace(dir.toString(), "CONF");
  }

  @Test
  void aSoundConfigurationIsReady() throws IOException {
    new Conf(dir)
        .doctor()
        .fine(
            "Ready: NVME over DISK",
            "NVME 200 GiB 15% /t-nvme0/yarn (tag in yarn-site.xml)",
            "NodeManager: ok",
            "INFO    yarn.nodemanager.local-dirs = /t-nvme0/yarn,/t-hdd0/yarn (yarn-site.xml, line"
                + " 3)")
        .quiet();
  }

  @Test
  void anEmptyConfigurationIsToldWhatToPaste() throws IOException {
    Conf conf = new Conf(dir).without(Conf.MAPRED).without(Conf.CORE).without(Conf.YARN);
    conf.set(Conf.YARN, "yarn.nodemanager.local-dirs", "/t-nvme0/yarn,/t-hdd0/yarn");
    conf.doctor()
        .ends(ExitCodes.FAILED)
        .says(
            "2 errors, 2 warnings, 2 remarks",
            "WARNING mapred-site.xml = missing",
            "INFO    temptier.local-dirs (default)",
            "ERROR   yarn.nodemanager.container-state-transition-listener.classes (not set)",
            "<value>io.temptier.hadoop.NodeManagerTiering</value></property>",
            "WARNING yarn.nodemanager.aux-services (not set)",
            "ERROR   yarn.nodemanager.admin-env.CLASSPATH (not set)",
            "<value>.:/opt/temptier/lib/*</value></property>");
  }

  @Test
  void jsonSaysTheSame() throws IOException {
    Conf conf = new Conf(dir).set(Conf.YARN, "temptier.reserv", "10%");
    Path file = Files.writeString(dir.resolve("report.json"), "old");
    Run run = conf.doctor("--json", file.toString());
    Run piped = conf.doctor("--json", "-").ends(run.code());
    String json = Files.readString(file);
    assertEquals(json.strip(), piped.out().strip());
    Run.golden("doctor.json", normal(json));
    StableNames.checkJson("doctor", json, DoctorCommandTest.class);
    JsonNode root = piped.json();
    for (JsonNode finding : root.get("findings")) {
      run.says(finding.get("key").asText(), finding.get("origin").asText());
    }
    assertTrue(run.out().startsWith(root.get("verdict").asText()), run.out());
    assertTrue(Trees.below(dir).stream().noneMatch(path -> path.toString().contains("/.report")));
  }

  @Test
  void wrongUseIsTold() throws IOException {
    assertEquals(ExitCodes.WRONG_USE, Run.of("doctor").code());
    Run.of("doctor", "--conf-dir", dir.resolve("nowhere").toString()).misused("is not a folder");
    Run.of("doctor", "--conf-dir", dir.toString()).misused("holds none of");
  }

  /** Root may read everything, so the command runs without that right. */
  @ParameterizedTest
  @ValueSource(strings = {"---------", "r--------", "--x------"})
  void aFolderThatMayNotBeReadIsToldAsSuch(String mode) throws Exception {
    Path closed = new Conf(Files.createDirectory(dir.resolve("closed"))).write();
    List<String> command = new ArrayList<>();
    if (Files.isReadable(Path.of("/proc/1/environ"))) {
      command.addAll(List.of("setpriv", "--bounding-set", "-dac_override,-dac_read_search"));
    }
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString(mode));
    command.addAll(Programs.java(Main.class, "doctor", "--conf-dir", closed));
    Ran ran = Ran.of(dir, Map.of(), command);
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    ran.ends(ExitCodes.FAILED);
    String said = "User " + System.getProperty("user.name") + " may not read --conf-dir " + closed;
    ran.says(said).lacks("holds none of");
  }

  @Test
  void brokenXmlIsToldWithItsLine() throws IOException {
    new Conf(dir)
        .add(Conf.YARN, "<property><name>x</name><value>1</property>")
        .doctor()
        .ends(ExitCodes.FAILED)
        .says("1 error", "ERROR   yarn-site.xml = line 9, column 42", "13 checks")
        .quiet();
  }

  @Test
  void aPipeInPlaceOfAFileIsToldAndNotWaitedFor() throws Exception {
    Path confDir = new Conf(dir).write();
    for (String name : List.of("yarn-site.xml", "yarn-env.sh")) {
      Files.delete(confDir.resolve(name));
      Programs.pipe(confDir.resolve(name));
    }
    Run.of("doctor", "--conf-dir", dir.toString())
        .failed()
        .says("ERROR   yarn-site.xml = no regular file");
  }

  @Test
  void brokenIncludesAreToldToo() throws IOException {
    Files.writeString(dir.resolve("more.xml"), "<configuration>\n<property>\n</configuration>\n");
    String include = "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"more.xml\"/>";
    Conf conf = new Conf(dir).add(Conf.YARN, include);
    conf.says("ERROR yarn-site.xml = line 3", "more.xml");
    Files.delete(dir.resolve("more.xml"));
    conf.says("ERROR yarn-site.xml", "more.xml");
    Files.writeString(
        dir.resolve("more.xml"),
        "<configuration>" + include.replace("more", "yarn-site") + "</configuration>");
    conf.says("ERROR yarn-site.xml = it includes itself");
  }

  @Test
  void includesAndVariablesWork() throws IOException {
    String dirs = "[SSD]${base}/yarn,[DISK]/t-hdd0/yarn";
    SiteFiles.write(dir.resolve("dirs.xml"), "base", "/t-nvme0", "temptier.local-dirs", dirs);
    Conf conf = new Conf(dir).unset(Conf.YARN, "temptier.local-dirs");
    conf.add(
        Conf.YARN, "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"dirs.xml\"/>");
    Run run = conf.doctor().fine();
    assertTrue(run.out().matches("(?s).*SSD  [^\n]*  /t-nvme0/yarn .*"), run.out());
    run.says("Ready: SSD over DISK.");
  }

  @Test
  void aFolderNamedFromTheWorkingDirIsShownWhole() {
    Path near = Path.of("").toAbsolutePath().relativize(new Conf(dir).write());
    Run run = Run.of("doctor", "--conf-dir", near.toString());
    assertEquals(new Conf(dir).doctor().out(), run.out());
  }

  @Test
  void entitiesOfOtherFilesHaveTheirLine() throws IOException {
    Conf conf = new Conf(dir).set(Conf.YARN, "temptier.reserve", "&of;").set(Conf.YARN, "x", "1");
    Path site = conf.write().resolve("yarn-site.xml");
    Files.writeString(dir.resolve("of.txt"), "120%");
    String type = "?>\n<!DOCTYPE configuration [<!ENTITY of SYSTEM \"of.txt\">]>";
    Files.writeString(site, Files.readString(site).replace("?>", type));
    Run.of("doctor", "--conf-dir", dir.toString())
        .failed()
        .says("temptier.reserve = 120% (yarn-site.xml, line ");
  }

  @Test
  void secretsStaySecret() {
    Conf conf = new Conf(dir).set(Conf.YARN, "temptier.s3.password", "hunter2");
    for (Run run : new Run[] {conf.doctor(), conf.doctor("--json", "-")}) {
      run.says("temptier.s3.password", "<redacted>").lacks("hunter2");
    }
  }

  @Test
  void everyRowIsWholeAndSaidBySomeCheck() throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.list(Path.of("src/main/java/io/temptier/cli/doctor"))) {
      for (Path file : files.toList()) {
        all.append(Files.readString(file));
      }
    }
    String code = all.toString();
    Troubles.ROWS.forEach(
        (name, row) -> {
          assertTrue(row.stream().noneMatch(String::isBlank), name);
          assertTrue(code.contains("\"" + name.replaceFirst("^(mounts.)..$", "$1") + "\""), name);
        });
  }

  @Test
  void whatIsSaidIsNoPartOfTheTable() {
    String odd = "a PUT b\\nc {2}";
    String remedy = Troubles.of("class.misspelt", "k", "v", "here", "x", odd, "y").remedy();
    assertTrue(remedy.startsWith("The class is " + odd + ". "), remedy);
  }

  /** As by --conf-dir "$HADOOP_CONF_DIR" where that is not set. */
  @Test
  void anEmptyFolderIsTheDefault() {
    Run run = Run.of(List.of("doctor", "--conf-dir", ""));
    assertFalse(run.err().contains("--conf-dir  holds"), run.err());
  }

  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Check<String> FINE =
      Check.of(Heading.FILES, "look at files", (name, found) -> {});
  private static final Check<String> FAILS =
      Check.of(
          Heading.TIERS,
          "look at tiers",
          (name, found) -> {
            throw new IllegalStateException("no " + name + " for hunter2");
          });
  private static final Check<String> WARNS =
      Check.of(
          Heading.FILES,
          "look again",
          (name, found) ->
              found.accept(finding(Finding.Severity.WARNING, name, "It says hunter2.")));

  private static Finding finding(Finding.Severity severity, String value, String says) {
    return Finding.of(severity, "a.b", value, "here", says, "Mend it.");
  }

  private final List<String> asked = new ArrayList<>();
  private final Examination examination = new Examination(asked::add, secrets());

  /** Publishes a report as the doctors do. */
  @Command(name = "published")
  static final class Published implements Callable<Integer> {
    @Mixin private final Terminal terminal = new Terminal();
    @Mixin private final JsonFile file = new JsonFile();
    private final Examination examination;

    Published(Examination examination) {
      this.examination = examination;
    }

    @Override
    public Integer call() {
      ObjectNode about = new ObjectMapper().createObjectNode().put("node", 1);
      return examination.publish(List.of("NODE"), about, "", file, terminal);
    }
  }

  private static Secrets secrets() {
    Configuration conf = new Configuration(false);
    conf.set("fs.s3a.secret.key", "hunter2");
    return new Secrets(conf, "fs.s3a.secret.key");
  }

  private Run publish(String... args) {
    StringWriter out = new StringWriter();
    CommandLine line = new CommandLine(new Published(examination)).setOut(new PrintWriter(out));
    return new Run(line.execute(args), out.toString(), "").lacks("hunter2");
  }

  @Test
  void whatIsAnsweredIsReadyAndWhatIsLeftOutNoDoubt() throws Exception {
    examination.askEach(List.of(FINE, WARNS), "tier", LONG);
    examination.leaveOut(WARNS, "it would write");
    assertEquals(List.of("look at files", "look again"), asked);
    Run run = publish().fine("It says <redacted>.", "Not asked, since it would write");
    assertTrue(run.out().startsWith("Ready: no errors, 1 warning, no remarks.\nNODE"), run.out());
    JsonNode json = publish("--json", "-").fine().json();
    assertEquals("files", json.at("/findings/0/topic").asText());
    assertEquals("WARNING", json.at("/findings/0/severity").asText());
    assertEquals(1, json.get("node").asInt());
    assertEquals(0, json.get("unanswered").size());
    assertEquals("look again", json.at("/unasked/it would write/0").asText());
  }

  @Test
  void aCheckThatFailsIsNoAnswer() throws Exception {
    examination.askEach(List.of(FAILS, FINE), "tier", LONG);
    publish()
        .ends(ExitCodes.UNANSWERED)
        .says(
            "Files: ok",
            "Not answered, since it failed with",
            "no tier for <redacted>",
            "Not known to be ready: no errors, 1 check without an")
        .lacks("Tiers");
    JsonNode json = publish("--json", "-").ends(ExitCodes.UNANSWERED).json();
    assertEquals("look at tiers", json.at("/unanswered/0").asText());
    assertFalse(json.get("ready").asBoolean());
    examination.add(Heading.TASKS, List.of(finding(Finding.Severity.ERROR, "1", "Wrong.")));
    // An error says more than no answer.
    publish().failed().says("Not ready: 1 error, 1 check without an answer,");
  }

  @Test
  void aCheckThatHangsIsLeftBehind() {
    CountDownLatch never = new CountDownLatch(1);
    Check<String> hangs = Check.of(Heading.FILES, "wait", (name, found) -> never.await());
    examination.askEach(List.of(FINE), "tier", LONG);
    examination.askEach(List.of(hangs), "tier", Duration.ofMillis(200));
    publish()
        .ends(ExitCodes.UNANSWERED)
        .says("Files: ok, as far as it was asked", "Not answered, since it took longer than 0 s");
  }
}
