// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.fixtures.Needs.NeedsRoot;
import io.temptier.fixtures.Programs;
import io.temptier.testing.LeakCheck;
import io.temptier.tier.Layouts;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.os.ProcessTable;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(LeakCheck.class)
class ClaimLedgerTest extends ClaimsBed {
  private static final long TOTAL = 1_000_000;
  private static final int UID_OF_NOBODY = 65534;

  private Claims claims;

  @BeforeEach
  void makeClaims() {
    claims = claims();
  }

  @AfterEach
  void drop() {
    claims.drop();
  }

  @Test
  void allFilesOfAProcessAreOneLedgerAsLongAsTheirPromises() throws Exception {
    Claim first = claims.claim(500).orElseThrow();
    Claim second = claims.claim(70).orElseThrow();
    Claim third = claims.claim(9).orElseThrow();
    assertEquals(1, entries().size(), "one for all");
    assertEquals(579, read(claims()).bytes());
    first.giveUp();
    first.giveUp();
    assertEquals(79, read(claims).bytes());
    second.extend(30);
    assertEquals(109, read(claims()).bytes());
    second.release();
    third.release();
    assertEquals(0, read(claims()).bytes());
    assertEquals(1, entries().size(), "kept for the next");
    Claim next = claims.claim(600).orElseThrow();
    assertEquals(1, entries().size());
    claims.drop();
    assertEquals(600, read(claims()).bytes(), "it promises something");
    next.release();
    claims.drop();
    assertEquals(0, entries().size());
    Claim last = claims.claim(700).orElseThrow();
    assertEquals(700, read(claims()).bytes());
    last.release();
    second.extend(5);
    assertEquals(0, read(claims).bytes(), "it was over");
  }

  /** As in a container, whose umask is its image's. */
  @Test
  void nobodyElseMayWriteToItHoweverLaxTheUmask() throws Exception {
    Map<String, String> modes = Map.of("000", "rw-r--r--", "077", "rw-------");
    for (Map.Entry<String, String> umask : modes.entrySet()) {
      List<String> program = Programs.java(OfUmask.class, folder);
      assertEquals(umask.getValue(), Programs.said(after("umask " + umask.getKey(), program)));
    }
  }

  /** Claims, and says the mode of the ledger it made. */
  public static final class OfUmask {
    public static void main(String[] args) throws IOException {
      Path folder = Path.of(args[0]);
      Claims claims = new Claims(folder, System::currentTimeMillis);
      Claim claim = claims.claim(500).orElseThrow();
      Path ledger = folder.resolve(folder.toFile().list()[0]);
      System.out.println(PosixFilePermissions.toString(Files.getPosixFilePermissions(ledger)));
      claim.release();
      claims.drop();
    }
  }

  /** As {@code ulimit -f} sets one. */
  @Test
  void whatALimitOfTheProcessKeepsOutOfTheLedgerIsNotPromised() throws Exception {
    assertEquals("true false 3", Programs.said(Programs.java(OfLimit.class, folder)));
    assertEquals(Set.of(), entries());
  }

  /** Claims under a limit to the length of files, and says what others see. */
  public static final class OfLimit {
    public static void main(String[] args) throws IOException {
      Path folder = Path.of(args[0]);
      Claims claims = new Claims(folder, System::currentTimeMillis);
      String pid = Long.toString(ProcessHandle.current().pid());
      Programs.run("prlimit", "--pid", pid, "--fsize=5242880:unlimited");
      Optional<Claim> first = claims.claim(3 << 20);
      boolean second = claims.claim(3 << 20).isPresent();
      long promised = claims.outstanding(Long.MAX_VALUE, Long.MAX_VALUE, 0).bytes();
      System.out.println(first.isPresent() + " " + second + " " + (promised >> 20));
      first.ifPresent(Claim::release);
      claims.drop();
    }
  }

  @Test
  void whatIsLongerThanTheFileSystemCountsAsAllOfIt() throws IOException {
    plant("7-70-0-none-1", 3 * TOTAL);
    assertEquals(TOTAL, read(claims).bytes());
  }

  @Test
  void sumsDoNotOverflow() {
    Outstanding.Tally tally = new Outstanding.Tally(Long.MAX_VALUE);
    for (int i = 0; i < 3; i++) {
      tally.add(0, false, Long.MAX_VALUE);
      tally.add(1, true, Long.MAX_VALUE);
    }
    Outstanding outstanding = tally.result(false);
    assertEquals(Long.MAX_VALUE, outstanding.bytes());
    assertEquals(Long.MAX_VALUE, outstanding.and(outstanding, Long.MAX_VALUE).bytes());
  }

  @Test
  void withoutAFolderClaimsCountWithinTheProcess() {
    Claims homeless = Layouts.claims(temp.resolve("none/.temptier/claims"), proc, clock);
    Claim claim = homeless.claim(500).orElseThrow();
    assertEquals(500, read(homeless).bytes());
    claim.release();
    assertEquals(Outstanding.NONE, read(homeless));
    assertFalse(Files.exists(temp.resolve("none")), "nobody but the NodeManager makes it");
  }

  @Test
  void corruptAndHostileEntriesAreIgnoredAndCounted() throws Exception {
    for (String name :
        List.of(
            "x",
            "7-70-0-none",
            "-7-70-0-none-1",
            "99999999999-70-0-none-1",
            "7-70-0-no.ne-1",
            "7-70-0-none-1-",
            "7-70-0-none-T")) {
      plant(name, 5);
    }
    Files.createDirectory(folder.resolve("7-70-0-none-2"));
    Files.createSymbolicLink(folder.resolve("7-70-0-none-3"), plantElsewhere());
    Programs.pipe(folder.resolve("7-70-0-none-4"));
    plant("7-70-0-none-5", 5);
    Outstanding outstanding = read(claims);
    assertEquals(5, outstanding.bytes());
    assertEquals(1, outstanding.count());
    assertEquals(10, outstanding.ignored());
    assertEquals(outstanding, read(claims), "and again from memory");
  }

  @Test
  void aLedgerThatBecomesALinkIsNoLongerOne() throws IOException {
    Path file = plant("7-70-0-none-1", 500);
    assertEquals(500, read(claims).bytes());
    Files.delete(file);
    Files.createSymbolicLink(file, plantElsewhere());
    assertEquals(0, read(claims).bytes());
    assertEquals(1, read(claims).ignored());
  }

  @Test
  void aCrowdedFolderIsFullUntilTheJunkIsAside() throws Exception {
    for (int i = 0; i <= Claims.MAX_ENTRIES; i++) {
      Files.createFile(folder.resolve("junk" + i));
    }
    assertEquals(Long.MAX_VALUE, read(claims).bytes(), "nobody can tell what is claimed");
    assertEquals(Long.MAX_VALUE, read(claims).bytes());
    for (String name : entries()) {
      Files.move(folder.resolve(name), folder.resolve(FolderList.ASIDE + name));
    }
    Eventually.holds("it is looked at again", () -> read(claims).bytes() == 0);
    assertEquals(0, read(claims).ignored());
  }

  @Test
  void aZombieRunsNoMore() throws IOException {
    Layouts.process(proc, 7, 'Z', 70);
    plant("7-70-0-none-1", 500);
    clock.advance(Duration.ofMillis(Claims.LEASE_MILLIS + 1));
    assertEquals(0, read(claims).bytes());
  }

  @Test
  void aClaimCountsWhileItsLeaseRunsAlthoughItsOwnerIsNotVisible() throws IOException {
    Path file = plant("4711-1-0-none-1", 500);
    assertEquals(500, read(claims).bytes());
    clock.advance(Duration.ofMillis(Claims.LEASE_MILLIS / 2));
    Files.setLastModifiedTime(file, FileTime.fromMillis(clock.millis()));
    clock.advance(Duration.ofMillis(Claims.LEASE_MILLIS - 100));
    assertEquals(500, read(claims).bytes());
    clock.advance(Duration.ofMillis(200));
    assertEquals(0, read(claims).bytes());
    assertFalse(Files.exists(file));
  }

  @Test
  void aClockSetBackEndsNoClaimOfTheLivingAndKeepsNoneOfTheDead() throws IOException {
    plant("7-70-0-none-1", 500);
    Path dead = plant("4711-1-0-none-1", 400);
    clock.step(Duration.ofHours(-1));
    assertEquals(500, read(claims).bytes());
    assertFalse(Files.exists(dead), "its lease ends an hour in the future");
  }

  @Test
  void aLedgerThatWasRemovedIsMadeAgain() {
    Claim claim = claims.claim(500).orElseThrow();
    claim.written(100);
    removeAll();
    claims.renew();
    assertEquals(400, read(claims()).bytes());
    removeAll();
    Claim more = claims.claim(50).orElseThrow();
    assertEquals(450, read(claims()).bytes(), "the next claim knows no better");
    claim.release();
    more.release();
  }

  @Test
  void whatLiesInPlaceOfALedgerThatWasRemovedIsNotWrittenTo() throws IOException {
    Claim claim = claims.claim(500).orElseThrow();
    Path ledger = folder.resolve(entries().iterator().next());
    Path ownFile = Files.writeString(temp.resolve("own"), "precious");
    for (int hard = 0; hard < 2; hard++) {
      Files.delete(ledger);
      if (hard == 1) {
        Files.createLink(ledger, ownFile);
      } else {
        Files.createSymbolicLink(ledger, ownFile);
      }
      FileTime before = Files.getLastModifiedTime(ownFile);
      clock.advance(Duration.ofSeconds(1));
      claims.renew();
      Claim more = claims.claim(50).orElseThrow();
      assertEquals("precious", Files.readString(ownFile));
      assertEquals(before, Files.getLastModifiedTime(ownFile));
      assertEquals(550, read(claims()).bytes(), "there is another ledger");
      more.release();
      ledger = folder.resolve(entries().iterator().next());
    }
    claim.release();
  }

  @Test
  void aLedgerThatWasAwayWithItsDiskSaysWhatIsPromisedWhenItIsBack() throws IOException {
    Claim claim = claims.claim(500).orElseThrow();
    Path away = Files.move(root, temp.resolve("away"));
    clock.advance(Duration.ofMinutes(1));
    claims.renew();
    claim.giveUp();
    claims.drop();
    Files.move(away, root);
    Claim next = claims.claim(30).orElseThrow();
    assertEquals(30, read(claims()).bytes());
    assertEquals(30, read(claims).bytes());
    next.release();
  }

  /** As in a task that has as many files open as it may for a moment. */
  @Test
  void aFolderThatCannotBeListedForAMomentIsFullSoLong() throws Exception {
    plant("7-70-0-none-1", 500);
    List<String> program = Programs.java(OutOfFiles.class, folder, proc);
    assertEquals("500 " + Long.MAX_VALUE + " 500", Programs.said(after("ulimit -n 256", program)));
  }

  /** Reads what is promised, with all its files open in between. */
  public static final class OutOfFiles {
    public static void main(String[] args) throws IOException {
      Path folder = Path.of(args[0]);
      ProcessTable processes = new ProcessTable(Path.of(args[1]));
      Claims claims = new Claims(folder, processes, System::currentTimeMillis);
      Claims warm = new Claims(folder, processes, System::currentTimeMillis);
      Files.setLastModifiedTime(folder, FileTime.fromMillis(1_000));
      long before = read(warm).bytes();
      List<FileInputStream> open = new ArrayList<>();
      long meanwhile;
      try {
        while (true) {
          open.add(new FileInputStream("/dev/null"));
        }
      } catch (IOException e) {
        meanwhile = read(claims).bytes();
      }
      for (FileInputStream file : open) {
        file.close();
      }
      System.out.println(before + " " + meanwhile + " " + read(claims).bytes());
    }
  }

  private void removeAll() {
    for (String name : entries()) {
      assertTrue(folder.resolve(name).toFile().delete());
    }
  }

  @Test
  @NeedsRoot
  void aClaimInTheNameOfAnotherUsersProcessHasItsLeaseAlone() throws IOException {
    Path file = plant("7-70-0-none-1", 500);
    Files.setAttribute(file, "unix:uid", UID_OF_NOBODY);
    assertEquals(500, read(claims).bytes());
    clock.advance(Duration.ofMillis(Claims.LEASE_MILLIS + 1));
    assertEquals(0, read(claims).bytes());
    assertFalse(Files.exists(file));
  }

  @Test
  void onACappedDirTheDeadCountUntilTheyAreWalked() throws IOException {
    plant("4711-1-0-none-1", 500);
    clock.advance(Duration.ofMinutes(1));
    long died = clock.millis();
    assertEquals(500, claims.outstanding(TOTAL, died - 10, 3_000).bytes(), "an older walk");
    clock.advance(Duration.ofSeconds(1));
    assertEquals(500, claims.outstanding(TOTAL, died, 3_000).bytes(), "a walk just then");
    assertEquals(0, claims.outstanding(TOTAL, died + 1, 3_000).bytes(), "a later walk");
    assertEquals(1, entries().size(), "others may have walked earlier");
    clock.advance(Duration.ofSeconds(3));
    claims.outstanding(TOTAL, died + 1, 3_000);
    assertEquals(0, entries().size());
  }

  @Test
  void aFolderThatOthersMayRenameInIsNotWrittenTo() throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    Claim claim = claims.claim(500).orElseThrow();
    assertEquals(0, entries().size());
    assertEquals(500, read(claims).bytes());
    claim.release();
    Files.setAttribute(folder, "unix:mode", 01777);
    claims.claim(500).orElseThrow().release();
    assertEquals(1, entries().size(), "with the sticky bit it is");
  }

  @Test
  void aLinkInPlaceOfTheFolderIsNotWrittenTo() throws IOException {
    Path real = Files.createDirectories(temp.resolve("elsewhere"));
    Files.delete(folder);
    Files.createSymbolicLink(folder, real);
    claims.claim(500).orElseThrow().release();
    assertEquals(0, real.toFile().list().length);
  }

  @Test
  void whenTheFolderIsTakenAwayClaimsCountWithinTheProcess() throws IOException {
    claims.claim(1).orElseThrow().release();
    claims.drop();
    Files.delete(folder);
    Claim claim = claims.claim(500).orElseThrow();
    assertEquals(500, read(claims).bytes());
    Files.createDirectory(folder);
    Claim another = claims.claim(50).orElseThrow();
    assertEquals(1, entries().size());
    assertEquals(550, read(claims).bytes());
    claim.release();
    another.release();
  }

  @Test
  void aFolderThatIsTakenAwayIsWaitedForForAMinute() throws IOException {
    assertTrue(claims.takesFiles());
    assertTrue(claims.takesFiles());
    claims.drop();
    Files.delete(folder);
    assertFalse(claims.takesFiles());
    clock.advance(Duration.ofSeconds(59));
    assertFalse(claims.takesFiles());
    clock.advance(Duration.ofSeconds(1));
    assertTrue(claims.takesFiles(), "no NodeManager keeps it any more");
    Files.createDirectory(folder);
    assertTrue(claims.takesFiles());
    assertTrue(Layouts.claims(temp.resolve("none/.temptier/claims"), proc, clock).takesFiles());
  }

  @Test
  @NeedsLoopDisk
  void whereOthersClaimAndThisProcessCannotThereIsNoClaim() throws IOException {
    try (LoopDisk mounted = LoopDisk.create(temp, 16 << 20)) {
      Path there = Layouts.claimsOf(Layouts.root(mounted.path().resolve("root")));
      Claims others = Layouts.claims(there, proc, clock);
      Claim claim = others.claim(500).orElseThrow();
      mounted.remountReadOnly();
      assertEquals(Optional.empty(), others.claim(500));
      assertEquals(500, read(others).bytes());
      claim.release();
      assertEquals(0, read(others).bytes(), "it cannot be deleted, but counts no more");
    }
  }

  @Test
  void ledgersMadeInTheSameTickOfTheFileSystemsClockAreSeen() throws IOException {
    for (int i = 1; i <= 50; i++) {
      plant("7-70-0-none-" + i, 10);
      assertEquals(10L * i, read(claims).bytes());
    }
  }

  @Test
  void aFolderWithAStampInWholeSecondsMayChangeUntilTheNext() {
    assertFalse(FolderList.settled(7_000, 7_999));
    assertFalse(FolderList.settled(7_000, 8_029));
    assertTrue(FolderList.settled(7_000, 8_030));
    assertFalse(FolderList.settled(7_001, 7_030));
    assertTrue(FolderList.settled(7_001, 7_031));
  }

  private Path local(int mode) throws IOException {
    Path dir = Files.createDirectories(temp.resolve("spark"));
    Files.setAttribute(dir, "unix:mode", mode);
    return dir;
  }

  @ParameterizedTest
  @CsvSource({"0700, 0755", "0755, 0755", "01777, 01777", "0777, 0", "0775, 0"})
  void aFolderIsForWhomTheDirIs(String dirMode, String folderMode) throws IOException {
    Path dir = local(Integer.parseInt(dirMode, 8));
    new ClaimsFolder(dir, clock::millis).keep();
    Path made = NodeMarker.claims(dir);
    int mode = Files.exists(made) ? (Integer) Files.getAttribute(made, "unix:mode") & 07777 : 0;
    assertEquals(Integer.parseInt(folderMode, 8), mode);
  }

  /** As pods see each other: the pid of one means nothing to another, and its lease counts. */
  @Test
  void aFolderHasProcessesOfOtherPidNamespacesCountEachOther() throws IOException {
    Path dir = local(0755);
    new ClaimsFolder(dir, clock::millis).keep();
    folder = NodeMarker.claims(dir);
    Path pod = Files.createDirectories(temp.resolve("pod"));
    Layouts.process(pod, ProcessTable.ownPid(), 'S', 10);
    Claims other = Layouts.claims(folder, pod, clock);
    Claim claim = other.claim(GB).orElseThrow();
    assertEquals(GB, claims().ofLiving(100 * GB, false).bytes());
    clock.advance(Duration.ofMillis(2 * Claims.LEASE_MILLIS));
    assertEquals(0, claims().ofLiving(100 * GB, false).bytes(), "its pod is gone");
    claim.release();
    other.drop();
  }

  @Test
  void aFolderIsSweptButForLedgersOfAnybody() throws IOException {
    Path dir = local(01777);
    ClaimsFolder keeper = new ClaimsFolder(dir, clock::millis);
    keeper.keep();
    folder = NodeMarker.claims(dir);
    Files.createFile(folder.resolve("junk"));
    Path ledger = plant("7-70-0-app_1-x", GB);
    keeper.keep();
    assertEquals(Set.of(String.valueOf(ledger.getFileName())), entries());
  }

  @Test
  void aFolderStaysAsItIsWhereANodeManagerKeepsIt() throws IOException {
    Path dir = local(0755);
    Files.createFile(Files.createDirectory(dir.resolve(NodeMarker.DIR)).resolve(NodeMarker.LAYOUT));
    new ClaimsFolder(dir, clock::millis).keep();
    assertFalse(Files.exists(NodeMarker.claims(dir)));
  }

  private static Outstanding read(Claims claims) {
    return claims.outstanding(TOTAL, Long.MAX_VALUE, 0);
  }

  private Path plantElsewhere() throws IOException {
    Path file = temp.resolve("target");
    return Files.exists(file) ? file : Files.createFile(file);
  }
}
