// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Programs;
import io.temptier.fixtures.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** What a testbed is made of, and what is told to Ceph of it. */
class CephSpecTest {
  private static final long OSD_BYTES = 5L << 30;

  @ParameterizedTest
  @CsvSource({
    "0, 8589934592, 0 gateways: expected 1 to 4",
    "5, 8589934592, 5 gateways: expected 1 to 4",
    "1, 1073741824, 1073741824 bytes are too few for an OSD"
  })
  void boundsAreChecked(int gateways, long osdBytes, String message) {
    Texts.thrown(IllegalArgumentException.class, () -> new CephSpec(gateways, osdBytes), message);
  }

  @Test
  void allListensOnLoopbackOnly() throws IOException {
    String conf =
        CephCluster.confText(
            Path.of("/home/ceph"),
            new CephSpec(2, OSD_BYTES),
            UUID.randomUUID(),
            40000,
            List.of(40001, 40002));
    Texts.has(
        conf,
        "mon host = v2:127.0.0.1:40000",
        "public addr = 127.0.0.1",
        "cluster addr = 127.0.0.1",
        "[client.rgw.0]\nrgw frontends = beast endpoint=127.0.0.1:40001 ",
        "[client.rgw.1]\nrgw frontends = beast endpoint=127.0.0.1:40002 ",
        "bluestore block size = " + OSD_BYTES + "\n",
        "osd data = /home/ceph/$name\n");
  }

  @Test
  void aFolderThatCephCannotReadIsRefused(@TempDir Path folder) throws IOException {
    Path odd = Files.createDirectory(folder.resolve("a;b"));
    Texts.thrown(IOException.class, () -> CephCluster.checkPlain(odd), "letters, digits");
  }

  @Test
  void theSecretIsNotInTheNameOfAnAccount() {
    S3Account account = new S3Account("me", "AK", "hunter2");
    assertFalse(account.toString().contains("hunter2"), account.toString());
  }

  /** What the launcher itself needs. */
  private static final List<String> TOOLS =
      List.of("cat date dirname find grep head mkdir mv readlink sed sleep tail".split(" ", -1));

  @TempDir private Path dir;

  private Path bin = Path.of("");

  @BeforeEach
  void checkout() throws IOException {
    Files.copy(Path.of("..", "temptier"), dir.resolve("temptier"));
    Files.createFile(dir.resolve("pom.xml"));
    bin = Files.createDirectory(dir.resolve("bin"));
    for (String tool : TOOLS) {
      Programs.script(bin.resolve(tool), "PATH=/usr/bin:/bin exec " + tool + " \"$@\"");
    }
    Programs.script(bin.resolve("mvn"), "echo ran mvn; exit 9");
    for (String program : CephSpec.PROGRAMS) {
      Programs.script(bin.resolve(program), "exit 9");
    }
  }

  private String launch(String... arguments) throws Exception {
    Path output = dir.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder("/bin/sh", dir.resolve("temptier").toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.command().addAll(List.of(arguments));
    builder.environment().put("PATH", bin.toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    assertEquals(1, builder.start().waitFor());
    return Files.readString(output);
  }

  @ParameterizedTest
  @FieldSource("io.temptier.lab.ceph.CephSpec#PROGRAMS")
  void whatIsMissingIsSaidBeforeTheBuild(String program) throws Exception {
    Files.delete(bin.resolve(program));
    String printed = launch("s3a", "testbed", "--gateways", "3");
    String hindrance = CephSpec.hindrance("/no/such:" + bin).orElseThrow();
    Texts.has(hindrance, "PATH has no " + program + ". ", "apt-get install", " ceph-osd ");
    assertEquals(hindrance, printed.strip().replace("temptier: The testbed", "the testbed"));
  }

  @Test
  void withAllOfItOrForAnotherCommandTheBuildBegins() throws Exception {
    assertEquals(Optional.empty(), CephSpec.hindrance(bin.toString()));
    assertTrue(launch("s3a", "testbed").contains("ran mvn"));
    Files.delete(bin.resolve("radosgw"));
    assertTrue(launch("s3a", "testbed", "--help").contains("ran mvn"));
  }
}
