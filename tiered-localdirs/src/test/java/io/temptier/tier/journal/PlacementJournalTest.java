// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.journal;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.fixtures.Programs;
import io.temptier.testing.ManualClock;
import io.temptier.tier.FileKind;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.policy.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementJournalTest {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final ManualClock clock = new ManualClock();
  private final List<String> paths = new ArrayList<>();
  private final Path temp;
  private final Path file;
  @AutoClose private PlacementJournal journal;

  PlacementJournalTest(@TempDir Path temp) {
    this.temp = temp;
    file = temp.resolve("journal");
    journal = journal(temp);
  }

  private static PlacementRequest request(String path) {
    return PlacementRequest.of(path, FileKind.SPILL, 100, true, "application_1_1", 0);
  }

  private Placement placement() {
    return Placement.of(Layouts.dir(temp, Medium.NVME), Reason.FASTEST, List.of());
  }

  private PlacementJournal journal(Path... dirs) {
    return journal(1 << 20, false, dirs);
  }

  private PlacementJournal journal(long maxBytes, boolean turnsOver, Path... dirs) {
    return new PlacementJournal(
        new JournalFile(List.of(dirs), "journal", maxBytes, turnsOver, dir -> true), clock::millis);
  }

  private void placed(String path) {
    journal.placed(request(path), placement());
    assertTrue(journal.flush(PATIENCE));
  }

  private static List<PlacementRecord> read(Path file) throws IOException {
    List<PlacementRecord> records = new ArrayList<>();
    try (JournalTail tail = JournalTail.open(file)) {
      tail.poll(Long.MAX_VALUE, records::add);
      assertEquals(0, tail.ignored());
    }
    return records;
  }

  private static String firstPath(Path dir) throws IOException {
    return read(dir.resolve("journal")).get(0).request().path();
  }

  /** Bytes read on from where the last poll ended. */
  private long poll(JournalTail tail, long most) throws IOException {
    return tail.poll(most, record -> paths.add(record.request().path()));
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    journal = PlacementJournal.ofApplication(List.of(temp), dir -> true);
    assertTrue(journal.file().isEmpty(), "no file before the first line");
    placed("a");
    journal.settled(request("a"), placement(), 77);
    assertTrue(journal.flush(PATIENCE));
    List<PlacementRecord> records = read(temp.resolve(PlacementJournal.APPLICATION_FILE));
    assertEquals(2, records.size());
    assertEquals(PlacementRecord.Event.PLACED, records.get(0).event());
    assertEquals(100, records.get(0).bytes());
    assertEquals(PlacementRecord.Event.SETTLED, records.get(1).event());
    assertEquals(77, records.get(1).bytes());
    assertEquals(ProcessHandle.current().pid(), records.get(1).pid());
    assertEquals(temp, records.get(1).placement().dir().path());
    assertEquals(0, journal.dropped());
  }

  @Test
  void theGroupMayReadAndOthersMayNot() throws IOException {
    placed("a");
    assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
  }

  @Test
  void writersOfOneFileNeverMixTheirLines() throws Exception {
    int writers = 4;
    int lines = 2_000;
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < writers; i++) {
      String path = "writer" + i + "/" + "x".repeat(200 * i);
      Thread thread =
          new Thread(
              () -> {
                try (PlacementJournal journal = journal(64 << 20, false, temp)) {
                  for (int line = 0; line < lines; line++) {
                    journal.placed(request(path), placement());
                  }
                  assertTrue(journal.flush(PATIENCE));
                  assertEquals(0, journal.dropped());
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(writers * lines, read(file).size());
  }

  /** Also when the clock was set back. */
  @ParameterizedTest
  @ValueSource(ints = {60, -3600})
  void noWritableDirDisturbsNobodyAndIsTriedAgain(int laterSeconds) throws IOException {
    Path later = temp.resolve("later");
    journal = journal(later);
    assertDoesNotThrow(() -> placed("a"));
    assertEquals(1, journal.dropped());
    Files.createDirectory(later);
    placed("b");
    assertEquals(2, journal.dropped(), "not tried again at once");
    clock.step(Duration.ofSeconds(laterSeconds));
    placed("c");
    assertEquals(2, journal.dropped());
    assertEquals("c", firstPath(later));
  }

  @Test
  void theNextDirIsTakenWhereTheFirstRefuses() throws IOException {
    Path missing = temp.resolve("missing");
    journal = journal(missing, temp);
    placed("a");
    assertEquals(Optional.of(file), journal.file());
    assertEquals(0, journal.dropped());
  }

  @Test
  @NeedsLoopDisk
  void afterAFailedWriteTheNextDirHasItsTurn() throws IOException {
    try (LoopDisk disk = LoopDisk.create(temp, 4 << 20)) {
      journal = journal(disk.path(), temp);
      assertThrows(
          IOException.class, () -> Files.write(disk.path().resolve("filler"), new byte[16 << 20]));
      int lines = 0;
      while (journal.dropped() == 0) {
        placed("a");
        assertTrue(lines++ < 100, "the disk is full");
      }
      clock.advance(Duration.ofSeconds(60));
      placed("b");
      assertEquals(1, journal.dropped());
      assertEquals("b", firstPath(temp));
      journal.close();
    }
  }

  @Test
  void aLinkInItsPlaceIsNotFollowed() throws IOException {
    Path target = Files.createFile(temp.resolve("precious"));
    Files.createSymbolicLink(file, target);
    placed("a");
    assertEquals(1, journal.dropped());
    assertEquals(0, Files.size(target));
  }

  @Test
  void aNamedPipeInItsPlaceDoesNotBlock() throws Exception {
    Programs.pipe(file);
    placed("a");
    assertEquals(1, journal.dropped());
  }

  @Test
  void aDeletedFileIsBegunAnew() throws IOException {
    placed("a");
    Files.delete(file);
    clock.advance(Duration.ofSeconds(2));
    placed("b");
    assertEquals("b", firstPath(temp));
  }

  @Test
  void anInterruptedWriterWritesAndStaysInterrupted() throws IOException {
    Thread.currentThread().interrupt();
    placed("a");
    placed("b");
    assertTrue(Thread.interrupted(), "the interrupt is for the writer of the file");
    assertEquals(2, read(file).size());
    assertEquals(0, journal.dropped());
  }

  @Test
  void theNodesJournalTurnsOverAtItsBound() throws IOException {
    assertEquals(0, droppedOfMany(true));
    List<PlacementRecord> recent = read(temp.resolve("journal.old"));
    recent.addAll(read(file));
    assertEquals("file399", recent.get(recent.size() - 1).request().path());
    assertTrue(recent.size() >= 10_000 / PlacementRecord.MAX_LINE_BYTES, "one old is kept whole");
    assertTrue(Files.size(file) < 11_000);
    assertTrue(Files.size(temp.resolve("journal.old")) < 11_000);
    assertEquals(2, temp.toFile().list().length);
  }

  @Test
  void anApplicationsJournalStopsAtItsBound() throws IOException {
    assertTrue(droppedOfMany(false) > 0);
    assertTrue(Files.size(file) < 11_000);
  }

  /** Of 400 lines, where there may be 10,000 bytes. */
  private long droppedOfMany(boolean turnsOver) {
    journal = journal(10_000, turnsOver, temp);
    for (int i = 0; i < 400; i++) {
      clock.advance(Duration.ofSeconds(2));
      placed("file" + i);
    }
    return journal.dropped();
  }

  @Test
  void aLineAfterATornOneIsWhole() throws IOException {
    placed("a");
    Files.writeString(file, "17\t42\tPLA\n", StandardOpenOption.APPEND);
    Files.writeString(file, "y".repeat(300_000) + "\n", StandardOpenOption.APPEND);
    Files.write(file, new byte[] {0, (byte) 0xff, '\t', '\n'}, StandardOpenOption.APPEND);
    placed("b");
    try (JournalTail tail = JournalTail.open(file)) {
      long read = 0;
      long more;
      while ((more = poll(tail, 1_000)) > 0) {
        read += more;
        assertTrue(read <= Files.size(file));
      }
      assertEquals(List.of("a", "b"), paths);
      assertEquals(3, tail.ignored());
    }
  }

  @Test
  void aTailSeesWhatIsAppendedEvenToADeletedFile() throws IOException {
    placed("a");
    try (JournalTail tail = JournalTail.open(file)) {
      poll(tail, 1 << 20);
      placed("b");
      Files.delete(file);
      poll(tail, 1 << 20);
      assertEquals(List.of("a", "b"), paths);
      assertEquals(0, poll(tail, 1 << 20));
    }
  }

  @Test
  void anEmptiedFileIsReadFromItsBeginning() throws IOException {
    placed("a");
    try (JournalTail tail = JournalTail.open(file)) {
      poll(tail, 1 << 20);
      Files.write(file, new byte[0]);
      poll(tail, 1 << 20);
      placed("b");
      poll(tail, 1 << 20);
    }
    assertEquals(List.of("a", "b"), paths);
  }

  @Test
  @NeedsLoopDisk
  void aDiskThatIsFrozenStopsNoPlacement() throws IOException {
    try (LoopDisk disk = LoopDisk.create(temp, 8 << 20)) {
      journal = journal(disk.path());
      placed("before");
      disk.freeze();
      for (int i = 0; i < 2 * PlacementJournal.MOST_WAITING; i++) {
        journal.placed(request("frozen"), placement());
      }
      assertTrue(journal.dropped() > 0);
      assertFalse(journal.flush(Duration.ofMillis(100)));
      disk.thaw();
      // There is room for another again.
      assertTrue(journal.flush(PATIENCE));
      placed("after");
      long dropped = journal.dropped();
      List<PlacementRecord> records = read(disk.path().resolve("journal"));
      assertEquals("before", records.get(0).request().path());
      assertEquals("after", records.get(records.size() - 1).request().path());
      assertEquals(2 * PlacementJournal.MOST_WAITING + 2, records.size() + dropped);
      journal.close();
    }
  }

  private static final PlacementRecord RECORD =
      PlacementRecord.of(
          1_700_000_000_000L,
          42,
          PlacementRecord.Event.PLACED,
          PlacementRequest.of(
              "output/attempt_1_0001_m_000000_0/file.out",
              FileKind.MAP_OUTPUT,
              1 << 20,
              true,
              "application_1_0001",
              0),
          Placement.of(
              dir("/hdd0/yarn"),
              Reason.FULL,
              List.of(
                  Placement.Refusal.of(Medium.NVME, Reason.FULL, 7),
                  Placement.Refusal.of(Medium.SSD, Reason.LIMIT, 0))),
          1 << 20);

  private static LocalDir dir(String path) {
    return LocalDir.of(Path.of(path), Medium.DISK, LocalDir.NO_CAP, "");
  }

  private static String line(PlacementRecord record) {
    byte[] bytes = record.toLine().orElseThrow();
    assertTrue(bytes.length < PlacementRecord.MAX_LINE_BYTES);
    String line = new String(bytes, StandardCharsets.UTF_8);
    assertEquals(line.length() - 1, line.indexOf('\n'), "one newline, at the end");
    return line.substring(0, line.length() - 1);
  }

  private static PlacementRecord withNames(String path, String dir) {
    return record(path, dir, Reason.FASTEST, List.of());
  }

  private static PlacementRecord record(
      String path, String dir, Reason reason, List<Placement.Refusal> refusals) {
    PlacementRequest request = PlacementRequest.of(path, FileKind.OTHER, 0, false, null, 0);
    Placement placement = Placement.of(dir(dir), reason, refusals);
    return PlacementRecord.of(1, 1, PlacementRecord.Event.SETTLED, request, placement, 0);
  }

  @Test
  void theLineIsTheDocumentedOne() {
    assertEquals(
        "1700000000000\t42\tPLACED\toutput/attempt_1_0001_m_000000_0/file.out\tMAP_OUTPUT\t1048576"
            + "\t1\tapplication_1_0001\t[DISK]/hdd0/yarn\tFULL\tNVME:FULL:7,SSD:LIMIT:0\t1",
        line(RECORD));
    assertEquals(Optional.of(RECORD), PlacementRecord.parse(line(RECORD)));
  }

  @Test
  void everyReasonComesBack() {
    for (Reason reason : Reason.values()) {
      PlacementRecord record =
          record("x", "/d", reason, List.of(Placement.Refusal.of(Medium.NVME, reason, 0)));
      assertEquals(Optional.of(record), PlacementRecord.parse(line(record)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a\tb", "a\nb\r", "back\\slash\\t", "ünï/码", "[x]y", "-", ""})
  void anyNameComesBack(String name) {
    PlacementRecord record = withNames(name, "/" + name);
    assertEquals(Optional.of(record), PlacementRecord.parse(line(record)));
  }

  @Test
  void aLineOfAReleaseToComeIsLeftAlone() {
    String line = line(RECORD);
    assertTrue(PlacementRecord.parse(line.replaceAll("1$", "2")).isEmpty(), "another version");
    assertTrue(PlacementRecord.parse(line + "\tmore").isEmpty(), "more fields");
    assertTrue(PlacementRecord.parse(line.replace("\tFULL\t", "\tBUSY\t")).isEmpty(), "a reason");
    assertTrue(PlacementRecord.parse(line.replace("[DISK]", "[CXL]")).isEmpty(), "a medium");
  }

  @Test
  void aPathTooLongForOneWriteHasNoLine() {
    assertTrue(withNames("x".repeat(4096), "/d").toLine().isEmpty());
    assertTrue(withNames("\t".repeat(2100), "/d").toLine().isEmpty());
  }

  @Test
  void aTornOrCorruptLineIsNoRecordAndNoError() {
    String line = line(RECORD);
    for (int end = 0; end < line.length(); end++) {
      assertTrue(PlacementRecord.parse(line.substring(0, end)).isEmpty(), "cut at " + end);
    }
    long seed = 20251121;
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      char[] chars = line.toCharArray();
      for (int hits = 1 + random.nextInt(4); hits > 0; hits--) {
        chars[random.nextInt(chars.length)] = (char) random.nextInt(256);
      }
      Optional<PlacementRecord> parsed = PlacementRecord.parse(new String(chars));
      assertTrue(parsed.isEmpty() || parsed.get().bytes() >= 0, "seed " + seed + ", round " + i);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 4, 5, 6, 8, 9, 10, 11})
  void aFieldOfNonsenseIsNoRecord(int field) {
    String[] fields = line(RECORD).split("\t");
    for (String nonsense : List.of("", "x", "-5", "99999999999999999999")) {
      String[] changed = fields.clone();
      changed[field] = nonsense;
      assertTrue(
          PlacementRecord.parse(String.join("\t", changed)).isEmpty(), Arrays.toString(changed));
    }
  }
}
