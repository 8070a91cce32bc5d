// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.Golden;
import io.temptier.cli.Ran;
import io.temptier.cli.Run;
import io.temptier.cli.main.Main;
import io.temptier.fixtures.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DoctorCommandTest {
  @TempDir Path dir;

  private String normal(String text) {
    return text.replace(dir.toString(), "CONF");
  }

  @Test
  void aSoundConfigurationIsReady() throws IOException {
    Run run = new Conf(dir).doctor();
    Golden.assertMatches("doctor-sound.txt", normal(run.out()));
    assertEquals(ExitCodes.FINE, run.code(), run.out());
    assertEquals("", run.err());
  }

  @Test
  void anEmptyConfigurationIsToldWhatToPaste() throws IOException {
    Conf conf = new Conf(dir).without(Conf.MAPRED).without(Conf.CORE).without(Conf.YARN);
    conf.set(Conf.YARN, "yarn.nodemanager.local-dirs", "/t-nvme0/yarn,/t-hdd0/yarn");
    Run run = conf.doctor();
    Golden.assertMatches("doctor-empty.txt", normal(run.out()));
    assertEquals(ExitCodes.FAILED, run.code());
  }

  @Test
  void jsonSaysTheSame() throws IOException {
    Conf conf = new Conf(dir).set(Conf.YARN, "temptier.reserv", "10%");
    Path file = dir.resolve("report.json");
    Run run = conf.doctor("--json", file.toString());
    Run piped = conf.doctor("--json", "-");
    assertEquals(run.code(), piped.code());
    String json = Files.readString(file);
    assertEquals(json.strip(), piped.out().strip());
    Golden.assertMatches("doctor.json", normal(json));
    JsonNode root = new ObjectMapper().readTree(json);
    for (JsonNode finding : root.get("findings")) {
      assertTrue(run.out().contains(finding.get("key").asText()), finding.toString());
      assertTrue(run.out().contains(finding.get("origin").asText()), finding.toString());
    }
    assertTrue(run.out().startsWith(root.get("verdict").asText()), run.out());
    try (Stream<Path> left = Files.list(dir)) {
      assertTrue(left.noneMatch(p -> p.getFileName().toString().startsWith(".report")));
    }
  }

  @Test
  void wrongUseIsTold() throws IOException {
    assertEquals(ExitCodes.WRONG_USE, Run.of("doctor").code());
    Run noFolder = Run.of("doctor", "--conf-dir", dir.resolve("nowhere").toString());
    assertEquals(ExitCodes.WRONG_USE, noFolder.code());
    assertTrue(noFolder.err().contains("is not a folder"), noFolder.err());
    Run noFiles = Run.of("doctor", "--conf-dir", dir.toString());
    assertEquals(ExitCodes.WRONG_USE, noFiles.code());
    assertTrue(noFiles.err().contains("holds none of"), noFiles.err());
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
    assertEquals(ExitCodes.FAILED, ran.code(), ran.text());
    String said = "User " + System.getProperty("user.name") + " may not read --conf-dir " + closed;
    assertTrue(ran.text().contains(said), ran.text());
    assertFalse(ran.text().contains("holds none of"), ran.text());
  }

  @Test
  void brokenXmlIsToldWithItsLine() throws IOException {
    Run run = new Conf(dir).add(Conf.YARN, "<property><name>x</name><value>1</property>").doctor();
    Golden.assertMatches("doctor-broken-xml.txt", normal(run.out()));
    assertEquals(ExitCodes.FAILED, run.code());
    assertEquals("", run.err());
  }

  @Test
  void aPipeInPlaceOfAFileIsToldAndNotWaitedFor() throws Exception {
    Path confDir = new Conf(dir).write();
    for (String name : List.of("yarn-site.xml", "yarn-env.sh")) {
      Files.delete(confDir.resolve(name));
      Programs.pipe(confDir.resolve(name));
    }
    Run run = Run.of("doctor", "--conf-dir", dir.toString());
    assertEquals(ExitCodes.FAILED, run.code());
    assertTrue(run.out().contains("ERROR   yarn-site.xml = no regular file"), run.out());
  }

  @Test
  void brokenIncludesAreToldToo() throws IOException {
    Files.writeString(dir.resolve("more.xml"), "<configuration>\n<property>\n</configuration>\n");
    String include = "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"more.xml\"/>";
    Conf conf = new Conf(dir).add(Conf.YARN, include);
    conf.says("ERROR yarn-site.xml = line 3", "more.xml");
    Files.delete(dir.resolve("more.xml"));
    conf.says("ERROR yarn-site.xml", "more.xml");
  }

  @Test
  void includesAndVariablesWork() throws IOException {
    Files.writeString(
        dir.resolve("dirs.xml"),
        "<configuration>"
            + Conf.property("base", "/t-nvme0")
            + Conf.property("temptier.local-dirs", "[SSD]${base}/yarn,[DISK]/t-hdd0/yarn")
            + "</configuration>");
    Conf conf = new Conf(dir).unset(Conf.YARN, "temptier.local-dirs");
    conf.add(
        Conf.YARN, "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"dirs.xml\"/>");
    Run run = conf.doctor();
    assertEquals(ExitCodes.FINE, run.code(), run.out());
    assertTrue(run.out().matches("(?s).*SSD  [^\n]*  /t-nvme0/yarn .*"), run.out());
    assertTrue(run.out().contains("Ready: SSD over DISK."), run.out());
  }

  @Test
  void secretsStaySecret() {
    Conf conf = new Conf(dir).set(Conf.YARN, "temptier.s3.password", "hunter2");
    for (Run run : new Run[] {conf.doctor(), conf.doctor("--json", "-")}) {
      assertTrue(run.out().contains("temptier.s3.password"), run.out());
      assertFalse(run.out().contains("hunter2"), run.out());
      assertTrue(run.out().contains("<redacted>"), run.out());
    }
  }

  /** As by --conf-dir "$HADOOP_CONF_DIR" where that is not set. */
  @Test
  void anEmptyFolderIsTheDefault() {
    Run run = Run.of(List.of("doctor", "--conf-dir", ""));
    assertFalse(run.err().contains("--conf-dir  holds"), run.err());
  }
}
