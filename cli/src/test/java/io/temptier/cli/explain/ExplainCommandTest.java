// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.Ran;
import io.temptier.cli.Run;
import io.temptier.cli.SiteFiles;
import io.temptier.fixtures.Accounts;
import io.temptier.fixtures.Needs.NeedsRoot;
import io.temptier.fixtures.OtherUser;
import io.temptier.fixtures.StableNames;
import io.temptier.fixtures.Texts;
import io.temptier.tier.FileKind;
import io.temptier.tier.Medium;
import io.temptier.tier.journal.PlacementJournal;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.policy.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExplainCommandTest {
  private static final String APPLICATION = "application_1700000000000_0001";
  private static final String ATTEMPT = "attempt_1700000000000_0001_m_000001_0";
  private static final String OTHER = "attempt_1700000000000_0001_m_000001_01";

  /** Of Spark: a folder for blocks, and what a block's name has besides while it is written. */
  private static final String HOME = "blockmgr-1b4e28ba-2fa1-11d2-883f-0016d3cca427";

  private static final String UUID = ".6f3a2b1c-0d4e-4f5a-8b6c-7d8e9f0a1b2c";

  private static final Placement.Refusal NVME_FULL =
      Placement.Refusal.of(Medium.NVME, Reason.CAP, 1024);

  @TempDir Path temp;
  private Path nvme = Path.of("");
  private Path hdd = Path.of("");

  @BeforeEach
  void aNodeThatRanAJob() throws IOException {
    nvme = Files.createDirectories(temp.resolve("nvme0/yarn"));
    hdd = Files.createDirectories(temp.resolve("hdd0/yarn"));
    SiteFiles.mark(SiteFiles.dir(nvme, Medium.NVME), SiteFiles.dir(hdd, Medium.DISK));
    Files.createDirectories(application(nvme));
    Files.createDirectories(application(hdd));
    // The only spill of the map was renamed to its output, and its index was kept in memory.
    write(application(hdd).resolve("output/" + ATTEMPT + "/file.out"), 3000);
    write(application(hdd).resolve("output/" + ATTEMPT + "/file.out.index"), 48);
    write(application(nvme).resolve(OTHER + "_spill_0.out"), 2000);
    write(application(nvme).resolve("container_1700000000000_0001_01_000002/job.xml"), 100);
    write(application(nvme).resolve("of-nobody"), 7);
    try (PlacementJournal tasks =
        PlacementJournal.ofApplication(List.of(application(nvme), application(hdd)), dir -> true)) {
      tasks.placed(
          request(ATTEMPT + "_spill_0.out", FileKind.SPILL),
          Placement.of(SiteFiles.dir(hdd, Medium.DISK), Reason.CAP, List.of(NVME_FULL)));
      tasks.placed(request(OTHER + "_spill_0.out", FileKind.SPILL), fastest());
      tasks.placed(request("output/" + OTHER + "/gone.out", FileKind.OTHER), fastest());
    }
    try (PlacementJournal node =
        PlacementJournal.ofNode(List.of(nvme.resolve(NodeMarker.DIR)), folder -> true)) {
      String workDir = "usercache/ann/appcache/" + APPLICATION;
      workDir += "/container_1700000000000_0001_01_000002";
      node.placed(request(workDir, FileKind.WORK_DIR), fastest());
    }
  }

  private Placement fastest() {
    return Placement.of(SiteFiles.dir(nvme, Medium.NVME), Reason.FASTEST, List.of());
  }

  private static PlacementRequest request(String path, FileKind kind) {
    return PlacementRequest.of(path, kind, 4096, true, APPLICATION, 1);
  }

  private static Path application(Path root) {
    return root.resolve("usercache/ann/appcache").resolve(APPLICATION);
  }

  private static void write(Path file, int bytes) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, new byte[bytes]);
  }

  private static void link(Path link, Path to) throws IOException {
    Files.createDirectories(link.resolveSibling("."));
    Files.createSymbolicLink(link, to);
  }

  private void wrote(String path, FileKind kind, Placement placement) throws IOException {
    try (PlacementJournal tasks =
        PlacementJournal.ofApplication(List.of(application(nvme)), dir -> true)) {
      tasks.placed(request(path, kind), placement);
    }
  }

  private String normal(String text) {
    return text.replace(temp.toString(), "")
        .replaceAll("\"timeMillis\" : \\d+", "\"timeMillis\" : TIME")
        .replaceAll("\"pid\" : \\d+", "\"pid\" : PID");
  }

  @Test
  void aSingleSpillExplainsTheOutput() throws IOException {
    Path output = application(hdd).resolve("output/" + ATTEMPT + "/file.out");
    Run.of("explain", output.toString())
        .fine(
            "lies on DISK, in " + hdd,
            "map output, 2.9 KiB",
            "DISK: NVME refused: the dir's cap is reached (1 KiB left)",
            "for 4 KiB",
            "only spill");
  }

  @Test
  void aSingleSpillOfTezExplainsTheOutputAndItsIndex() throws IOException {
    String attempt = "output/attempt_1700000000000_0001_1_00_000002_0_10003";
    write(application(nvme).resolve(attempt + "/file.out"), 3000);
    write(application(nvme).resolve(attempt + "/file.out.index"), 48);
    wrote(attempt + "_0/file.out", FileKind.SPILL, fastest());
    for (String name : List.of("/file.out", "/file.out.index")) {
      Run.of("explain", application(nvme).resolve(attempt + name).toString())
          .fine("because  NVME: the fastest tier had room");
    }
  }

  @Test
  void aBlockOfSparkIsExplainedWhereItLiesAndByItsLink() throws IOException {
    Path bytes = application(hdd).resolve("temptier-" + HOME + "/0a/shuffle_0_7_0.data" + UUID);
    write(bytes, 3000);
    Path link = application(nvme).resolve("temptier-" + HOME + "/0a/shuffle_0_7_0.data");
    link(link, bytes);
    Path plain = application(nvme).resolve(HOME + "/0b/shuffle_0_8_0.data");
    write(plain, 3000);
    Placement spilled =
        Placement.of(SiteFiles.dir(hdd, Medium.DISK), Reason.CAP, List.of(NVME_FULL));
    wrote(HOME + "/0a/shuffle_0_7_0.data" + UUID, FileKind.MAP_OUTPUT, spilled);
    wrote(HOME + "/0b/shuffle_0_8_0.data" + UUID, FileKind.MAP_OUTPUT, fastest());
    for (Path asked : List.of(bytes, link)) {
      Run.of("explain", asked.toString()).says("because DISK: NVME refused");
    }
    Run.of("explain", plain.toString()).says("because NVME: the fastest tier had room");
    // A link is no output.
    Run.of("explain", "shuffle_0_7", "--dir", nvme.toString()).fine(UUID).lacks("on NVME");
    Run.of("explain", "rdd_0", "--dir", nvme.toString()).failed();
  }

  private void demoted(Path copy, Reason why) {
    PlacementRequest moved =
        PlacementRequest.of(
            hdd.relativize(copy).toString(), FileKind.MAP_OUTPUT, 2500, true, APPLICATION, 0);
    try (PlacementJournal node =
        PlacementJournal.ofNode(List.of(nvme.resolve(NodeMarker.DIR)), folder -> true)) {
      node.demoted(
          moved,
          Placement.of(
              SiteFiles.dir(hdd, Medium.DISK),
              Reason.FASTEST,
              List.of(Placement.Refusal.of(Medium.NVME, why, 0))));
    }
  }

  /** As the mover of map outputs leaves one: a link where it was, the copy below. */
  @Test
  void aDemotedOutputIsExplainedByItsLinkItsCopyAndItsAttempt() throws IOException {
    String output = "output/" + OTHER + "/file.out";
    Path link = application(nvme).resolve(output);
    Path copy = application(hdd).resolve(output);
    write(copy, 2500);
    link(link, copy);
    Run.of("explain", copy.toString()).says("no record says why");
    demoted(copy, Reason.FULL);
    for (Path asked : List.of(link, copy)) {
      Run.of("explain", asked.toString())
          .says(
              "lies on DISK, in " + hdd,
              "map output, 2.4 KiB",
              "from NVME, " + nvme + ", to DISK, " + hdd,
              "temptier.demotion.high",
              "at first NVME: the fastest tier had room");
    }
    Run.of("explain", OTHER, "--dir", nvme.toString())
        .says(
            "2 files of " + OTHER + ": 1 on NVME (2 KiB), 1 on DISK (2.4 KiB)", "it was demoted at")
        .lacks("without a record");
    demoted(copy, Reason.DRAINING);
    JsonNode json = Run.of("explain", link.toString(), "--json", "-").json();
    assertEquals("DISK", json.at("/files/0/medium").asText());
    assertEquals("NVME", json.at("/files/0/demoted/fromMedium").asText());
    assertEquals(hdd.toString(), json.at("/files/0/demoted/toDir").asText());
    assertEquals("that dir was being drained", json.at("/files/0/demoted/why").asText());
    assertEquals(
        Files.getLastModifiedTime(link, LinkOption.NOFOLLOW_LINKS).toMillis(),
        json.at("/files/0/demoted/timeMillis").asLong());
  }

  @Test
  void aDemotedBlockOfSparkIsExplainedByItsLinkAndByItsCopy() throws IOException {
    Path copy = application(hdd).resolve("temptier-" + HOME + "/0c/shuffle_0_9_0.data" + UUID);
    write(copy, 3000);
    Path link = application(nvme).resolve(HOME + "/0c/shuffle_0_9_0.data");
    link(link, copy);
    wrote(HOME + "/0c/shuffle_0_9_0.data" + UUID, FileKind.MAP_OUTPUT, fastest());
    for (Path asked : List.of(link, copy)) {
      Run.of("explain", asked.toString())
          .says("lies on DISK, in " + hdd, "from NVME, " + nvme + ", to DISK, " + hdd);
    }
    // It is one file of its own size, and its link is none.
    Run.of("explain", "shuffle_0_9_0", "--dir", nvme.toString())
        .says(link.getFileName() + "\n", "lies on  DISK", "2.9 KiB")
        .lacks("on NVME (", "without a record");
  }

  @ParameterizedTest
  @CsvSource({
    "hdd0, output/ATTEMPT/file.out.index, because DISK: NVME refused",
    "nvme0, container_1700000000000_0001_01_000002/job.xml, because NVME: the fastest tier had",
    "nvme0, container_1700000000000_0001_01_000002/job.xml, placed as a whole",
    "nvme0, output/OTHER/gone.out, 'gone was on NVME, in '",
  })
  void aFileIsExplainedByWhatLiesBesideOrLayThere(String disk, String name, String says) {
    Path root = application(disk.equals("nvme0") ? nvme : hdd);
    Path file = root.resolve(name.replace("ATTEMPT", ATTEMPT).replace("OTHER", OTHER));
    Run.of("explain", file.toString()).fine(says);
  }

  @Test
  void noRecordIsSaidPlainly() throws IOException {
    Run.of("explain", application(nvme).resolve("of-nobody").toString())
        .fine("lies on NVME, in " + nvme, "other, 7 B", "There is no record of it");
  }

  @Test
  void noNameMovesTheCursorOfWhoAsks() throws IOException {
    Path odd = application(nvme).resolve("x\u001b]0;mine\u0007\ny");
    write(odd, 5);
    for (Path asked : List.of(odd, application(nvme))) {
      String said = Run.of("explain", asked.toString()).out();
      assertTrue(said.contains("x\\u001b]0;mine\\u0007\\u000ay"), said);
      assertTrue(said.chars().noneMatch(c -> c < ' ' && c != '\n'), said);
    }
  }

  /** By real processes of the two users, with owners and modes as YARN leaves them. */
  @Test
  @NeedsRoot
  void itAnswersFromWhatItsCallerMayRead() throws Exception {
    try (Accounts accounts = new Accounts()) {
      String node = accounts.user("node", "");
      String ann = accounts.user("ann", "");
      String bob = accounts.user("bob", "");
      for (Path root : List.of(nvme, hdd)) {
        Accounts.give(root, node);
        Path hers = Accounts.give(root.resolve("usercache/ann"), ann);
        Accounts.open(hers, node);
      }
      assertTrue(asUser(ann, ATTEMPT).contains("2 files of " + ATTEMPT));
      assertTrue(asUser(node, ATTEMPT).contains("2 files of " + ATTEMPT));
      Path output = application(hdd).resolve("output/" + ATTEMPT + "/file.out");
      assertTrue(asUser(ann, output.toString()).contains("DISK: NVME refused"));
      for (String asked : List.of(ATTEMPT, APPLICATION, output.toString())) {
        Texts.lacks(asUser(bob, asked), "container_", "because", " files of ");
      }
    }
  }

  private String asUser(String user, String asked) throws Exception {
    List<String> program =
        List.of("io.temptier.cli.main.Main", "explain", asked, "--dir", nvme.toString());
    Ran ran = Ran.of(temp, Map.of(), OtherUser.command(temp, user, program));
    assertTrue(ran.code() == ExitCodes.FINE || ran.code() == ExitCodes.FAILED, ran.text());
    return ran.text();
  }

  @Test
  void anAttemptIsAllItsFilesAndNotThoseOfOthers() throws IOException {
    Run.of("explain", ATTEMPT, "--dir", hdd.toString())
        .fine(
            "2 files of " + ATTEMPT + ": 2 on DISK (3 KiB)",
            "/file.out map output, 2.9 KiB, DISK: NVME refused: the dir's cap is reached",
            "/file.out.index index, 48 B, DISK: NVME refused");
  }

  @Test
  void anApplicationIsAllItsFiles() throws IOException {
    Run.of("explain", APPLICATION, "--dir", nvme.toString())
        .says(
            "5 files of " + APPLICATION + ": 3 on NVME (2.1 KiB), 2 on DISK (3 KiB)",
            "1 without a record",
            "spill, 2 KiB, NVME: the fastest tier had room",
            "job.xml work dir, 100 B, NVME",
            "of-nobody other, 7 B, NVME: no record",
            "map output, 2.9 KiB, DISK: NVME refused");
    Run.of("explain", application(nvme).toString()).says("3 files of");
  }

  @Test
  void jsonSaysTheSame() throws IOException {
    Run run = Run.of("explain", ATTEMPT, "--dir", nvme.toString(), "--json", "-");
    Run.golden("explain.json", normal(run.out()));
    StableNames.checkJson("explain", run.out(), ExplainCommandTest.class);
  }

  @Test
  void withoutAMarkerTheKernelIsAsked() throws IOException {
    Path plain = Files.createDirectories(temp.resolve("plain/usercache/ann/appcache/x"));
    Files.write(plain.resolve("file"), new byte[5]);
    Run.of("explain", plain.resolve("file").toString())
        .fine("no NodeManager with TempTier has run");
  }

  @Test
  void nothingToExplainIsAFailure() throws IOException {
    Run.of("explain", nvme.resolve("nothing").toString())
        .failed("There is no " + nvme, "no record of it");
    Path empty = Files.createDirectory(nvme.resolve("empty"));
    Run.of("explain", empty.toString()).failed("No file is in " + empty);
    String id = "attempt_1700000000000_0009_m_000001_0";
    Run.of("explain", id, "--dir", nvme.toString()).failed("It may have run on other nodes");
  }

  @Test
  void aPathOutsideAllLocalDirsIsAFailure() {
    for (String path : new String[] {"/etc/passwd", "/etc"}) {
      assertEquals("", Run.of("explain", path).failed(path + " is in no local dir: ").out());
      Run.of("explain", path, "--dir", nvme.toString())
          .failed("in no local dir of this node; those are ");
    }
  }

  @Test
  void wrongUseIsTold() {
    Run.of("explain").misused();
    Run.of("explain", ATTEMPT, "--dir", temp.resolve("nowhere").toString()).misused();
    Run.of("explain", ATTEMPT, "--conf-dir", temp.toString()).misused("holds no yarn-site.xml");
  }
}
