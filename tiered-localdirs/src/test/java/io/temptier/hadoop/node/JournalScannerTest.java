// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.HangingDisk;
import io.temptier.fixtures.Needs.NeedsBindfs;
import io.temptier.fixtures.PipeSwapper;
import io.temptier.fixtures.Programs;
import io.temptier.hadoop.metrics.PlacementTally;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.tier.FileKind;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.journal.PlacementJournal;
import io.temptier.tier.journal.PlacementRecord;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.policy.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class JournalScannerTest {
  private static final String APP = "application_1_0001";
  private static final Duration LONG = Duration.ofMinutes(4);
  private static final Duration SHORT = Duration.ofMillis(200);

  private final Map<String, String> running = new ConcurrentHashMap<>(Map.of(APP, "ann"));
  private final PlacementTally tally = new PlacementTally();
  private final List<PlacementRecord> history = new CopyOnWriteArrayList<>();
  private final Path temp;
  private final LocalDir nvme;
  private final LocalDir disk;
  @AutoClose private JournalScanner scanner;

  JournalScannerTest(@TempDir Path temp) {
    this.temp = temp;
    nvme = Layouts.dir(temp.resolve("nvme"), Medium.NVME);
    disk = Layouts.dir(temp.resolve("disk"), Medium.DISK);
    scanner = scanner(0);
  }

  private JournalScanner scanner(long sinceMillis) {
    return scanner(sinceMillis, LONG);
  }

  private JournalScanner scanner(long sinceMillis, Duration patience) {
    return new JournalScanner(
        Layouts.tiers(Reserve.DEFAULT, Layouts.SETTINGS, nvme, disk).layout(),
        () -> new TreeMap<>(running),
        tally,
        history::add,
        sinceMillis,
        patience);
  }

  private static Path appDir(LocalDir root, String user, String application) throws IOException {
    return Files.createDirectories(
        root.path().resolve("usercache/" + user + "/appcache/" + application));
  }

  private static void place(Path appDir, String application, LocalDir dir, long bytes) {
    PlacementRequest request =
        PlacementRequest.of("output/x", FileKind.SPILL, bytes, true, application, 0);
    try (PlacementJournal journal =
        PlacementJournal.ofApplication(List.of(appDir), folder -> true)) {
      journal.placed(request, Placement.of(dir, Reason.FASTEST, List.of()));
      assertTrue(journal.flush(Duration.ofMinutes(4)));
      assertEquals(0, journal.dropped());
    }
  }

  /** Ann's on the fast dir. */
  private Path journal() throws IOException {
    return appDir(nvme, "ann", APP).resolve(PlacementJournal.APPLICATION_FILE);
  }

  private long placed(Medium medium) {
    return tally.get(TierCounter.FILES_PLACED, medium);
  }

  @Test
  void countsWhatTasksPlacedUnderAnyRootAndOnlyOnce() throws IOException {
    place(appDir(nvme, "ann", APP), APP, nvme, 1);
    place(appDir(disk, "ann", APP), APP, disk, 1);
    scanner.scan();
    scanner.scan();
    assertEquals(1, placed(Medium.NVME));
    assertEquals(1, placed(Medium.DISK));
    place(appDir(nvme, "ann", APP), APP, disk, 1);
    scanner.scan();
    assertEquals(2, placed(Medium.DISK));
    assertEquals(0, tally.get(TierCounter.JOURNAL_LINES_IGNORED));
  }

  /** By the copies in the slower dir. */
  @Test
  void countsWhatExecutorsMovedDown() throws IOException {
    PlacementRequest request =
        PlacementRequest.of("blockmgr-1/0a/rdd_1_2", FileKind.CACHED_BLOCK, 690, true, APP, 0);
    try (PlacementJournal journal =
        PlacementJournal.ofApplication(List.of(appDir(nvme, "ann", APP)), dir -> true)) {
      journal.demoted(request, Placement.of(disk, Reason.FASTEST, List.of()));
      assertTrue(journal.flush(Duration.ofMinutes(4)));
    }
    scanner.scan();
    assertEquals(1, tally.get(TierCounter.BLOCKS_DEMOTED));
    assertEquals(690, tally.get(TierCounter.BLOCK_BYTES_DEMOTED));
    assertEquals(0, placed(Medium.DISK));
  }

  @Test
  void readsTheLastLinesOfAnApplicationWhoseDirIsGone() throws IOException {
    Path appDir = appDir(nvme, "ann", APP);
    place(appDir, APP, nvme, 1);
    scanner.scan();
    place(appDir, APP, nvme, 1);
    Files.delete(appDir.resolve(PlacementJournal.APPLICATION_FILE));
    Files.delete(appDir);
    running.clear();
    scanner.scan();
    assertEquals(2, placed(Medium.NVME));
  }

  @Test
  void doesNotCountWhatAnEarlierNodeManagerCounted() throws IOException {
    place(appDir(nvme, "ann", APP), APP, nvme, 1);
    scanner = scanner(System.currentTimeMillis() + 60_000);
    scanner.scan();
    assertEquals(0, placed(Medium.NVME));
    assertEquals(0, tally.get(TierCounter.JOURNAL_LINES_IGNORED));
    assertEquals(1, history.size(), "of an application that outlived it, everything is told");
  }

  @Test
  void believesNoRecordOfOthersOrOfDirsAndSizesThatCannotBe() throws IOException {
    Path appDir = appDir(nvme, "ann", APP);
    place(appDir, "application_1_0002", nvme, 1);
    place(appDir, APP, Layouts.dir(nvme.path(), Medium.RAM_DISK), 1);
    place(appDir, APP, Layouts.dir(Path.of("/elsewhere"), Medium.NVME), 1);
    place(appDir, APP, Layouts.dir(nvme.path().resolve("folder"), Medium.NVME), 1);
    place(appDir, APP, nvme, Long.MAX_VALUE);
    Files.writeString(
        appDir.resolve(PlacementJournal.APPLICATION_FILE),
        "\nnonsense\n" + "z".repeat(100_000) + "\n",
        StandardOpenOption.APPEND);
    place(appDir, APP, nvme, 1);
    scanner.scan();
    assertEquals(1, placed(Medium.NVME));
    assertEquals(7, tally.get(TierCounter.JOURNAL_LINES_IGNORED));
  }

  @Test
  void aLinkOrAPipeInPlaceOfAJournalIsNotRead() throws Exception {
    Path others = appDir(disk, "bob", "application_1_0002");
    place(others, APP, nvme, 1);
    Path journal = journal();
    Files.createSymbolicLink(journal, others.resolve(PlacementJournal.APPLICATION_FILE));
    scanner.scan();
    Files.delete(journal);
    Programs.pipe(journal);
    scanner.scan();
    Files.delete(journal);
    Files.delete(journal.getParent());
    Files.createSymbolicLink(journal.getParent(), others);
    scanner.scan();
    assertEquals(0, placed(Medium.NVME));
  }

  @Test
  void aNameThatLeadsElsewhereIsNotFollowed() throws IOException {
    place(appDir(nvme, "ann", APP), APP, nvme, 1);
    running.clear();
    running.put(APP, "bob/../ann");
    scanner.scan();
    running.clear();
    running.put(APP, "..");
    scanner.scan();
    assertEquals(0, placed(Medium.NVME));
  }

  @Test
  void anEndlessJournalIsReadInBoundedBites() throws IOException {
    Path journal = journal();
    Files.writeString(journal, ("x".repeat(99) + "\n").repeat(30_000));
    scanner.scan();
    long first = tally.get(TierCounter.JOURNAL_LINES_IGNORED);
    assertTrue(first > 0 && first < 30_000, first + " lines in one round");
    scanner.scan();
    scanner.scan();
    assertEquals(30_000, tally.get(TierCounter.JOURNAL_LINES_IGNORED));
  }

  private void scanUntil(String what, BooleanSupplier so) {
    Eventually.holds(
        what,
        () -> {
          scanner.scan();
          return so.getAsBoolean();
        });
  }

  private void scanUntilPlaced(long files) {
    scanUntil("they are counted", () -> placed(Medium.NVME) >= files);
    assertEquals(files, placed(Medium.NVME));
  }

  @Test
  @NeedsBindfs
  void aJournalThatLeadsToADiskThatHangsStopsNoOtherUser() throws Exception {
    try (HangingDisk hanging = HangingDisk.create(temp, "hanging")) {
      Path target = Files.writeString(hanging.path().resolve("x"), "x");
      Path journal = journal();
      Files.createSymbolicLink(journal, target);
      running.put("application_1_0002", "bob");
      place(appDir(nvme, "bob", "application_1_0002"), "application_1_0002", nvme, 1);
      scanner = scanner(0, SHORT);
      hanging.hang();
      scanUntilPlaced(1);
      assertEquals(4, scanner.readers());
      running.clear();
      hanging.recover();
      scanUntil("nobody hangs", () -> scanner.readers() == 0);
    }
  }

  @Test
  void aJournalThatIsSwappedForAPipeStopsNoOtherUser() throws Exception {
    Path appDir = appDir(nvme, "ann", APP);
    Path journal = appDir.resolve(PlacementJournal.APPLICATION_FILE);
    running.put("application_1_0002", "bob");
    scanner = scanner(0, SHORT);
    try (PipeSwapper swapper = new PipeSwapper(temp, journal, new byte[] {'x'})) {
      for (int i = 1; i <= 200; i++) {
        place(appDir(nvme, "bob", "application_1_0002"), "application_1_0002", nvme, 1);
        scanUntilPlaced(i);
      }
      swapper.stop();
    }
  }

  @Test
  void aUserWithManyJournalsLeavesRoomForOthers() throws Exception {
    running.clear();
    for (int i = 0; i < JournalScanner.MOST_OPEN + 100; i++) {
      String application = "application_1_" + (1000 + i);
      running.put(application, "ann");
      place(appDir(nvme, "ann", application), application, nvme, 1);
    }
    scanner.scan();
    String last = "application_2_0001";
    running.put(last, "bob");
    place(appDir(disk, "bob", last), last, disk, 1);
    scanner.scan();
    assertEquals(1, placed(Medium.DISK));
  }

  @Test
  void anEndlessJournalOfAnApplicationThatIsOverIsLetGo() throws IOException {
    Path journal = journal();
    Layouts.sparse(journal, 1L << 43);
    scanner.scan();
    running.clear();
    int rounds = 0;
    for (; scanner.readers() > 0; rounds++) {
      scanner.scan();
    }
    assertTrue(rounds > 100 && rounds < 200, rounds + " rounds");
  }
}
