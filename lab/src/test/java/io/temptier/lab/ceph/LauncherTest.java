// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** {@code ./temptier} in a checkout that is not built, on a machine without all of Ceph. */
class LauncherTest {
  @SuppressWarnings("unused") // by its name
  private static final List<String> PROGRAMS = CephSpec.PROGRAMS;

  /** What the launcher itself needs. */
  private static final List<String> TOOLS =
      List.of("cat", "dirname", "find", "head", "mkdir", "mv", "readlink", "sed", "tail");

  @TempDir private Path dir;

  private Path bin = Path.of("");

  @BeforeEach
  void checkout() throws IOException {
    Files.copy(Path.of("..", "temptier"), dir.resolve("temptier"));
    Files.createFile(dir.resolve("pom.xml"));
    bin = Files.createDirectory(dir.resolve("bin"));
    for (String tool : TOOLS) {
      program(tool, "PATH=/usr/bin:/bin exec " + tool + " \"$@\"");
    }
    program("mvn", "echo ran mvn; exit 9");
    for (String program : CephSpec.PROGRAMS) {
      program(program, "exit 9");
    }
  }

  private void program(String name, String script) throws IOException {
    Path file = Files.writeString(bin.resolve(name), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
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
  @FieldSource("PROGRAMS")
  void whatIsMissingIsSaidBeforeTheBuild(String program) throws Exception {
    Files.delete(bin.resolve(program));
    String printed = launch("s3a", "testbed", "--gateways", "3");
    Optional<String> hindrance = CephSpec.hindrance(bin.toString());
    assertEquals(
        hindrance.orElseThrow(), printed.strip().replace("temptier: The testbed", "the testbed"));
  }

  @Test
  void withAllOfItOrForAnotherCommandTheBuildBegins() throws Exception {
    assertTrue(launch("s3a", "testbed").contains("ran mvn"));
    Files.delete(bin.resolve("radosgw"));
    assertTrue(launch("s3a", "testbed", "--help").contains("ran mvn"));
  }
}
