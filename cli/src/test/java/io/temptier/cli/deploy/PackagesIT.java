// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.Ran;
import io.temptier.fixtures.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The deb and the rpm of {@code -Ppackages}, looked at and installed by the system's own tools. */
class PackagesIT {
  @TempDir Path temp;

  private static Path built(String pattern) throws IOException {
    try (Stream<Path> files = Files.list(Path.of("target"))) {
      return files
          .filter(file -> file.getFileName().toString().matches(pattern))
          .findFirst()
          .orElseThrow(() -> new AssertionError("needs packages: mvn -Ppackages verify"))
          .toAbsolutePath();
    }
  }

  private static void need(String program) {
    if (Stream.of("/usr/bin/", "/bin/").noneMatch(dir -> Files.exists(Path.of(dir + program)))) {
      throw new AssertionError("needs " + program + " of Debian's packages dpkg, rpm, cpio");
    }
  }

  private static String run(Path folder, String... line) throws Exception {
    return Ran.of(folder, Map.of(), line).ends(0).text();
  }

  /** What is installed is what the tarball holds, and starts. */
  private void assertInstalled(Path root) throws Exception {
    Path link = root.resolve("opt/temptier");
    assertTrue(Files.isSymbolicLink(link), "opt/temptier names the release");
    run(link, "sha256sum", "--quiet", "-c", "SHA256SUMS");
    assertTrue(Files.isExecutable(link.resolve("deploy/rollout")));
    assertEquals(
        "/opt/temptier/temptier", Files.readSymbolicLink(root.resolve("usr/bin/temptier")) + "");
    Map<String, String> environment =
        Map.of(
            "HADOOP_HOME",
            Ran.hadoopHome(temp.resolve("hadoop")).toString(),
            "JAVA_HOME",
            System.getProperty("java.home"));
    Ran.of(temp, environment, link.resolve("temptier").toString(), "--help").ends(0, "doctor");
    assertModes(link.toRealPath());
  }

  private static void assertModes(Path folder) throws Exception {
    String odd =
        run(folder, "find", ".", "-type", "d", "!", "-perm", "755")
            + run(folder, "find", ".", "-type", "f", "!", "-perm", "644", "!", "-perm", "755");
    assertEquals("", odd);
  }

  @Test
  void theDebInstallsWhatTheTarballHolds() throws Exception {
    Path deb = built("temptier_.*_all\\.deb");
    need("dpkg-deb");
    String control = run(temp, "dpkg-deb", "-I", deb.toString());
    Texts.has(control, "Package: temptier\n", "Architecture: all\n");
    for (String line : run(temp, "dpkg-deb", "-c", deb.toString()).lines().toList()) {
      assertTrue(line.contains(" root/root "), line);
      assertTrue(line.matches(".* \\./(opt|usr)/.*"), line);
    }
    Path root = Files.createDirectories(temp.resolve("root"));
    Files.createDirectories(root.resolve("var/lib/dpkg/updates"));
    Files.createDirectories(root.resolve("var/lib/dpkg/info"));
    Files.createFile(root.resolve("var/lib/dpkg/status"));
    List<String> install = new ArrayList<>(List.of("dpkg", "--root=" + root));
    install.addAll(List.of("--force-not-root", "--log=/dev/null", "-i", deb.toString()));
    run(temp, install.toArray(String[]::new));
    assertInstalled(root);
    run(temp, "dpkg", "--root=" + root, "--force-not-root", "--log=/dev/null", "-r", "temptier");
    assertTrue(Files.notExists(root.resolve("opt/temptier")), "it is removed whole");
  }

  @Test
  void theRpmHoldsTheSame() throws Exception {
    Path rpm = built("temptier-.*\\.noarch\\.rpm");
    for (String program : List.of("rpm", "rpm2cpio", "cpio")) {
      need(program);
    }
    String listed = run(temp, "rpm", "-qplv", rpm.toString());
    for (String line : listed.lines().toList()) {
      assertTrue(Pattern.matches("[dl-]\\S+ +\\d+ root +root .* /(opt|usr)/.*", line), line);
    }
    String query = "%{NAME} %{ARCH} %{LICENSE}";
    assertEquals(
        "temptier noarch Apache-2.0", run(temp, "rpm", "-qp", "--qf", query, rpm.toString()));
    Path root = Files.createDirectories(temp.resolve("root"));
    run(root, "sh", "-c", "rpm2cpio '" + rpm + "' | cpio --quiet -idm");
    assertInstalled(root);
  }
}
