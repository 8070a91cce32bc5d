// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code deploy/rollout} with folders as hosts, and releases whose {@code temptier} says what the
 * host's folder has it say.
 */
class RolloutTest {
  private static final Path SCRIPT = Path.of("..", "deploy", "rollout").toAbsolutePath();

  /** What its files are called is what it does not like. */
  private static final String RELEASE =
      """
      #!/bin/sh
      here=$(dirname "$(readlink -f "$0")")
      host=$here/../..
      case $1 in
        --version) echo "temptier VERSION" ;;
        doctor)
          echo "$*" >> "$host/doctor"
          if [ -e "$host/doctor-refuses-VERSION" ]; then echo "a key is wrong"; exit 1; fi ;;
        status)
          running=$(cat "$host/running")
          if [ -e "$host/dead-$running" ]; then echo "no answer"; exit 1; fi
          echo '{'
          echo "  \\"url\\" : \\"$3\\","
          echo "  \\"version\\" : \\"$running\\""
          echo '}'
          if [ -e "$host/stock-$running" ]; then echo "stock mode"; exit 1; fi ;;
      esac
      """;

  @TempDir Path temp;
  private Path local = Path.of("");

  @BeforeEach
  void hosts() throws IOException {
    for (String host : List.of("a", "b", "c")) {
      Files.createDirectory(temp.resolve(host));
    }
    // In the place of ssh. On its hosts more than the script waits goes by between two looks at the
    // clock.
    Path bin = Files.createDirectory(temp.resolve("bin"));
    program("bin/date", "#!/bin/sh\necho $(($(cat \"$0.said\") + 1000)) | tee \"$0.said\"\n");
    Files.writeString(bin.resolve("date.said"), "0");
    local =
        program(
            "local",
            "#!/bin/sh\nPATH='%s':$PATH\ncd '%s/'\"$1\" && shift && exec sh -c \"$*\"\n"
                .formatted(bin, temp));
  }

  private Path program(String name, String text) throws IOException {
    Path file = Files.writeString(temp.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }

  private Path release(String version) throws Exception {
    Path folder = Files.createDirectories(temp.resolve("build").resolve("temptier-" + version));
    Path program = program("temptier", RELEASE.replace("VERSION", version));
    Files.move(program, folder.resolve("temptier"));
    run("sh", "-c", "cd '" + folder + "' && sha256sum temptier > SHA256SUMS");
    Path tarball = temp.resolve("temptier-" + version + ".tar.gz");
    run("tar", "czf", tarball.toString(), "-C", folder.resolve("..") + "", "temptier-" + version);
    return tarball;
  }

  private Ran rollout(String... options) throws Exception {
    return rolloutBy(local, options);
  }

  private Ran rolloutBy(Path ssh, String... options) throws Exception {
    List<String> line = new ArrayList<>(List.of(SCRIPT.toString(), "--ssh", ssh.toString()));
    line.addAll(List.of("--prefix", temp + "/%h/opt", "--wait", "600", "--jmx", "http://%h:8042"));
    line.add("--restart");
    line.add("echo restarted >> log; readlink opt/temptier | sed s/temptier-// > running");
    line.addAll(List.of(options));
    return Ran.of(temp, Map.of(), line);
  }

  private Ran run(String... line) throws Exception {
    return Ran.of(temp, Map.of(), line);
  }

  private Ran install(String version, String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of("--tarball", release(version).toString()));
    all.addAll(List.of(options));
    return rollout(all.toArray(String[]::new));
  }

  private String link(String host) throws IOException {
    return Files.readSymbolicLink(temp.resolve(host + "/opt/temptier")).toString();
  }

  private String running(String host) throws IOException {
    return Files.readString(temp.resolve(host).resolve("running")).strip();
  }

  private long restarts(String host) throws IOException {
    Path log = temp.resolve(host).resolve("log");
    return Files.exists(log) ? Files.readAllLines(log).size() : 0;
  }

  private void assertRuns(String version, String... hosts) throws IOException {
    for (String host : hosts) {
      assertEquals("temptier-" + version, link(host), host);
      assertEquals(version, running(host), host);
    }
  }

  @Test
  void installsUpgradesAndGoesBackHostByHost() throws Exception {
    Path file = Files.writeString(temp.resolve("hosts"), "# ours\na\nb # the second\n");
    install("1", "--hosts", file.toString()).ends(0);
    assertRuns("1", "a", "b");
    assertFalse(Files.exists(temp.resolve("c/opt")), "c was not asked for");

    install("2", "a", "b").ends(0);
    assertRuns("2", "a", "b");
    String asked = Files.readString(temp.resolve("a/doctor"));
    assertTrue(asked.contains("doctor --conf-dir /etc/hadoop/conf"), asked);

    rollout("--rollback", "a", "b").ends(0);
    assertRuns("1", "a", "b");
    assertEquals(3, restarts("a"));
    // Once more does not lead forth to what was left.
    rollout("--rollback", "a", "b").ends(0, "a: runs temptier-1 already");
    assertRuns("1", "a", "b");
    assertEquals(3, restarts("a"));
    rollout("--tarball", temp.resolve("temptier-2.tar.gz").toString(), "a").ends(0);
    assertRuns("2", "a");
  }

  /** Of three versions: c was down when the last one was rolled out, and its doctor is older. */
  @Test
  void theWayBackIsNeverRefused() throws Exception {
    install("1", "a", "b", "c").ends(0);
    install("2", "a", "b", "c").ends(0);
    Files.move(temp.resolve("c"), temp.resolve("down"));
    install("3", "a", "c", "b").ends(1, "c: cannot be reached", "Not touched: b.");
    rollout("--tarball", temp.resolve("temptier-3.tar.gz").toString(), "b").ends(0);
    Files.move(temp.resolve("down"), temp.resolve("c"));
    for (String host : List.of("a", "b", "c")) {
      // To whom a key of 3 in the shared file is an error.
      Files.createFile(temp.resolve(host).resolve("doctor-refuses-2"));
    }
    Files.createFile(temp.resolve("a/stock-2"));
    rollout("--rollback", "nowhere", "a", "c", "b")
        .ends(
            1,
            "nowhere: cannot be reached",
            "a key is wrong",
            "a: rolled back to temptier-2, which is not active",
            "c: runs temptier-2, as the others did before: left as it is",
            "b: rolled back to temptier-2",
            "done: c b",
            "--rollback nowhere a");
    assertRuns("2", "a", "b", "c");
    assertEquals(2, restarts("c"), "the NodeManager was left alone");
    // Said again, as the message says: nobody goes back one more.
    Files.delete(temp.resolve("a/stock-2"));
    rollout("--rollback", "c", "a", "b").ends(0);
    assertRuns("2", "a", "b", "c");
    // Alone it goes back, as it says.
    rollout("--rollback", "c").ends(0, "c: rolled back to temptier-1");
    assertRuns("1", "c");
  }

  @Test
  void aRollBackStopsWhereANodeManagerDoesNotComeBackOrTheReleaseIsGone() throws Exception {
    install("1", "a", "b").ends(0);
    install("2", "a", "b").ends(0);
    Files.createFile(temp.resolve("a/dead-1"));
    rollout("--rollback", "a", "b")
        .ends(1, "the NodeManager does not answer", "stopped at a", "Not touched: b.");
    assertRuns("2", "b");
    run("rm", "-r", temp.resolve("b/opt/temptier-1").toString());
    rollout("--rollback", "b").ends(1, "b: there is no earlier release to go back to");
    assertRuns("2", "b");
    assertEquals(2, restarts("b"));
  }

  @Test
  void stopsWhereTheDoctorRefusesAndRestartsNothingThere() throws Exception {
    install("1", "a", "b", "c").ends(0);
    Files.createFile(temp.resolve("b/doctor-refuses-2"));
    install("2", "a", "b", "c")
        .ends(
            1,
            "a key is wrong",
            "b: rolled back to temptier-1",
            "Done: a. Not touched: c.",
            "--rollback a");
    assertRuns("2", "a");
    assertRuns("1", "b", "c");
    assertEquals(1, restarts("b"), "the NodeManager was left alone");
    // What was refused is nothing to go back to.
    rollout("--rollback", "b").ends(1);
    assertRuns("1", "b");
  }

  @Test
  void aNodeThatIsNotActiveAfterTheRestartGetsItsOldReleaseBack() throws Exception {
    install("1", "a").ends(0);
    Files.createFile(temp.resolve("a/stock-2"));
    install("2", "a", "b").ends(1, "stock mode");
    assertRuns("1", "a");
    assertEquals(3, restarts("a"));
    assertFalse(Files.exists(temp.resolve("b/opt")), "b was not touched");
  }

  @Test
  void aRestartThatFailsOrDoesNothingIsNoticed() throws Exception {
    install("1", "a").ends(0);
    install("2", "--restart", "echo no such unit; exit 5", "a").ends(1, "COULD NOT BE ROLLED BACK");
    String second = temp.resolve("temptier-2.tar.gz").toString();
    rollout("--tarball", second, "--restart", "true", "a").ends(1, "still runs version 1, not 2");
    assertEquals("temptier-1", link("a"));
  }

  @Test
  void withoutATarballWhatIsThereIsCheckedAndRestarted() throws Exception {
    install("1", "a").ends(0);
    assertEquals(0, rollout("a").code());
    assertEquals(2, restarts("a"));
    Files.createFile(temp.resolve("a/doctor-refuses-1"));
    rollout("a").ends(1, "look at its configuration");
    assertRuns("1", "a");
    assertEquals(2, restarts("a"));
  }

  @Test
  void onlyCopyingLeavesTheReleaseInUseAlone() throws Exception {
    assertEquals(0, install("1", "--only-copy", "a").code());
    assertEquals("temptier-1", link("a"));
    assertEquals(0, restarts("a"));
    assertEquals(0, install("2", "--only-copy", "a").code());
    assertEquals("temptier-1", link("a"));
    assertTrue(Files.isExecutable(temp.resolve("a/opt/temptier-2/temptier")));
  }

  @Test
  void aTarballThatArrivesTornIsRemoved() throws Exception {
    Path torn =
        program(
            "torn",
            "#!/bin/sh\nshift\nhead -c 100 > '"
                + temp
                + "/in'\nexec sh -c \"$*\" < '"
                + temp
                + "/in'\n");
    rolloutBy(torn, "--tarball", release("1").toString(), "a").ends(1, "did not arrive whole");
    assertEquals(0, temp.resolve("a/opt").toFile().list().length);
  }

  @Test
  void anotherReleaseOfTheSameNameIsNotOverwritten() throws Exception {
    install("1", "a").ends(0);
    Files.writeString(temp.resolve("a/opt/temptier-1/temptier"), "changed\n");
    rollout("--tarball", temp.resolve("temptier-1.tar.gz").toString(), "a")
        .ends(1, "is not what the tarball holds");
  }

  @Test
  void aFolderInThePlaceOfTheLinkIsLeftAlone() throws Exception {
    Files.createDirectories(temp.resolve("a/opt/temptier/lib"));
    install("1", "a").ends(1, "is a folder, no link");
  }

  @Test
  void aHostThatDoesNotAnswerStopsIt() throws Exception {
    Path hung = program("hung", "#!/bin/sh\nexec sleep 600\n");
    rolloutBy(hung, "--wait", "1", "a", "b").ends(1, "stopped at a. Done: none. Not touched: b.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--no-such-option a",
        "a;reboot",
        "-a",
        "--tarball /no/such/file a",
        "--tarball /bin/sh a",
        "--rollback --tarball /bin/sh a",
        "--only-copy a",
        "--wait x a",
        "--hosts /no/such/file",
        "a --tarball",
      })
  void wrongUseIsNamedAndTouchesNothing(String options) throws Exception {
    rollout(options.isEmpty() ? new String[0] : options.split(" ", -1)).ends(2, "rollout: ");
    assertFalse(Files.exists(temp.resolve("a/opt")));
  }
}
