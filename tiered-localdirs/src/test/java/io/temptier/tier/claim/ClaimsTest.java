// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.NeedsLoopDisk;
import io.temptier.fixtures.NeedsRoot;
import io.temptier.testing.Invariants;
import io.temptier.testing.ManualClock;
import io.temptier.tier.Layouts;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(Invariants.class)
class ClaimsTest {
  private static final long TOTAL = 1_000_000;
  private static final int UID_OF_NOBODY = 65534;

  @TempDir Path temp;
  private final ManualClock clock = new ManualClock();
  private Path folder;
  private Path proc;
  private Claims claims;

  @BeforeEach
  void makeFolder() throws IOException {
    folder = Layouts.claimsOf(Layouts.root(temp.resolve("root")));
    proc = Files.createDirectories(temp.resolve("proc"));
    Layouts.process(proc, 7, 'S', 70);
    claims = Layouts.claims(folder, proc, clock);
  }

  @AfterEach
  void dropSpares() {
    claims.dropSpares();
  }

  @Test
  void aClaimShrinksAsItIsWrittenAndEndsWhenReleased() throws IOException {
    Claim claim = claims.claim(500, "application_1_0001").orElseThrow();
    assertEquals(
        Claims.Outstanding.of(500, 1, 0, Map.of("application_1_0001", 500L)), read(claims));
    claim.written(200);
    claim.written(100);
    assertEquals(300, read(claims).bytes(), "what was written stays written");
    assertEquals(300, claim.outstandingBytes());
    assertEquals(300, read(other()).bytes(), "as seen by another process");
    claim.written(10_000);
    assertEquals(0, read(other()).bytes());
    assertEquals(0, claim.outstandingBytes());
    claim.release();
    assertEquals(Claims.Outstanding.NONE, read(claims));
    assertEquals(Claims.Outstanding.NONE, read(other()));
  }

  @Test
  void aReleasedClaimIsUsedAgainFromItsBeginning() throws IOException {
    Claim first = claims.claim(500, null).orElseThrow();
    first.written(400);
    first.release();
    assertEquals(1, entries(), "kept for the next");
    Claim second = claims.claim(600, null).orElseThrow();
    assertEquals(1, entries());
    assertEquals(600, read(other()).bytes());
    second.release();
    claims.dropSpares();
    assertEquals(0, entries());
  }

  @Test
  void oddApplicationsDoNotLeaveTheFolder() {
    Claim claim = claims.claim(5, "../../x").orElseThrow();
    assertEquals(Map.of("none", 5L), read(claims).byApplication());
    claim.release();
  }

  @Test
  void corruptAndHostileEntriesAreIgnoredAndCounted() throws IOException {
    plant("x");
    plant("5-7-70-none");
    plant("-5-7-70-none-1");
    plant("9999999999999999999-7-70-none-1");
    plant("5-7-70-no/ne-1".replace('/', '.'));
    plant(TOTAL + 1 + "-7-70-none-1");
    Files.createDirectory(folder.resolve("5-7-70-none-2"));
    Files.createSymbolicLink(folder.resolve("5-7-70-none-3"), plantElsewhere());
    plant("5-7-70-none-4");
    Claims.Outstanding outstanding = read(claims);
    assertEquals(5, outstanding.bytes());
    assertEquals(1, outstanding.count());
    assertEquals(8, outstanding.ignored());
    assertEquals(outstanding, read(claims), "and again from memory");
  }

  @Test
  void claimsOfReleasesToComeCountWithTheirBytes() throws IOException {
    plant("5-7-70-none-1-low");
    plant("6-7-70-application_1_0001-2-v2.queue_a-9");
    assertEquals(11, read(claims).bytes());
    assertEquals(Map.of("none", 5L, "application_1_0001", 6L), read(claims).byApplication());
    plant("5-7-70-none-1-");
    plant("5-7-70-none-1-" + "x".repeat(65));
    assertEquals(2, read(claims).ignored());
  }

  @Test
  void aClaimThatBecomesALinkIsNoLongerOne() throws IOException {
    Path file = plant("500-7-70-none-1");
    assertEquals(500, read(claims).bytes());
    Files.delete(file);
    Files.createSymbolicLink(file, plantElsewhere());
    assertEquals(0, read(claims).bytes());
    assertEquals(1, read(claims).ignored());
  }

  @Test
  void sumsDoNotOverflow() throws IOException {
    for (int i = 0; i < 20; i++) {
      plant("999999999999999999-7-70-none-" + i);
    }
    Claims.Outstanding outstanding = claims.outstanding(Long.MAX_VALUE, Long.MAX_VALUE, 0);
    assertEquals(Long.MAX_VALUE, outstanding.bytes());
    assertEquals(Map.of("none", Long.MAX_VALUE), outstanding.byApplication());
  }

  @Test
  void aCrowdedFolderIsFullUntilTheJunkIsGone() throws Exception {
    for (int i = 0; i <= Claims.MAX_ENTRIES; i++) {
      Files.createFile(folder.resolve("junk" + i));
    }
    assertEquals(Long.MAX_VALUE, read(claims).bytes(), "nobody can tell what is claimed");
    assertEquals(Long.MAX_VALUE, read(claims).bytes());
    for (String name : folder.toFile().list()) {
      Files.delete(folder.resolve(name));
    }
    Eventually.holds("it is looked at again", () -> read(claims).bytes() == 0);
  }

  @Test
  void aClaimCountsWhileItsOwnerRuns() throws IOException {
    plant("500-7-70-none-1");
    clock.advance(Duration.ofHours(1));
    assertEquals(500, read(claims).bytes());
    Layouts.process(proc, 7, 'S', 71);
    assertEquals(0, read(claims).bytes(), "the pid was given to another process");
    assertEquals(0, entries(), "the claim of a dead owner is removed");
  }

  @Test
  void aZombieRunsNoMore() throws IOException {
    Layouts.process(proc, 7, 'Z', 70);
    plant("500-7-70-none-1");
    clock.advance(Duration.ofMillis(Claims.LEASE_MILLIS + 1));
    assertEquals(0, read(claims).bytes());
  }

  @Test
  void aClaimCountsWhileItsLeaseRunsAlthoughItsOwnerIsNotVisible() throws IOException {
    Path file = plant("500-4711-1-none-1");
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
    plant("500-7-70-none-1");
    Path dead = plant("400-4711-1-none-1");
    clock.step(Duration.ofHours(-1));
    assertEquals(500, read(claims).bytes());
    assertFalse(Files.exists(dead), "its lease ends an hour in the future");
  }

  @Test
  void aRenewedClaimThatWasRemovedIsMadeAgain() throws IOException {
    Claim claim = claims.claim(500, null).orElseThrow();
    claim.written(100);
    assertTrue(Path.of(claim.toString()).toFile().delete());
    claim.renew(clock.millis());
    assertEquals(400, read(other()).bytes());
    claim.release();
  }

  @Test
  @NeedsRoot
  void aClaimInTheNameOfAnotherUsersProcessHasItsLeaseAlone() throws IOException {
    Path file = plant("500-7-70-none-1");
    Files.setAttribute(file, "unix:uid", UID_OF_NOBODY);
    assertEquals(500, read(claims).bytes());
    clock.advance(Duration.ofMillis(Claims.LEASE_MILLIS + 1));
    assertEquals(0, read(claims).bytes());
    assertFalse(Files.exists(file));
  }

  @Test
  void onACappedDirTheDeadCountUntilTheyAreWalked() throws IOException {
    plant("500-4711-1-none-1");
    clock.advance(Duration.ofMinutes(1));
    long died = clock.millis();
    assertEquals(500, claims.outstanding(TOTAL, died - 10, 3_000).bytes(), "an older walk");
    clock.advance(Duration.ofSeconds(1));
    assertEquals(500, claims.outstanding(TOTAL, died, 3_000).bytes(), "a walk just then");
    assertEquals(0, claims.outstanding(TOTAL, died + 1, 3_000).bytes(), "a later walk");
    assertEquals(1, entries(), "others may have walked earlier");
    clock.advance(Duration.ofSeconds(3));
    claims.outstanding(TOTAL, died + 1, 3_000);
    assertEquals(0, entries());
  }

  @Test
  void withoutAFolderClaimsCountWithinTheProcess() {
    Claims homeless = Layouts.claims(temp.resolve("none/.temptier/claims"), proc, clock);
    Claim claim = homeless.claim(500, null).orElseThrow();
    assertEquals(500, read(homeless).bytes());
    claim.release();
    assertEquals(Claims.Outstanding.NONE, read(homeless));
    assertFalse(Files.exists(temp.resolve("none")), "nobody but the NodeManager makes it");
  }

  @Test
  void aFolderThatOthersMayRenameInIsNotWrittenTo() throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    Claim claim = claims.claim(500, null).orElseThrow();
    assertEquals(0, entries());
    assertEquals(500, read(claims).bytes());
    claim.release();
    Files.setAttribute(folder, "unix:mode", 01777);
    claims.claim(500, null).orElseThrow().release();
    assertEquals(1, entries(), "with the sticky bit it is");
  }

  @Test
  void aLinkInPlaceOfTheFolderIsNotWrittenTo() throws IOException {
    Path real = Files.createDirectories(temp.resolve("elsewhere"));
    Files.delete(folder);
    Files.createSymbolicLink(folder, real);
    claims.claim(500, null).orElseThrow().release();
    assertEquals(0, real.toFile().list().length);
  }

  @Test
  void whenTheFolderIsTakenAwayClaimsCountWithinTheProcess() throws IOException {
    claims.claim(1, null).orElseThrow().release();
    claims.dropSpares();
    Files.delete(folder);
    Claim claim = claims.claim(500, null).orElseThrow();
    assertEquals(500, read(claims).bytes());
    Files.createDirectory(folder);
    Claim another = claims.claim(50, null).orElseThrow();
    assertEquals(1, entries());
    assertEquals(550, read(claims).bytes());
    claim.release();
    another.release();
  }

  @Test
  void aFolderThatIsTakenAwayIsWaitedForForAMinute() throws IOException {
    assertTrue(claims.takesFiles());
    assertTrue(claims.takesFiles());
    claims.dropSpares();
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
      Claim claim = others.claim(500, null).orElseThrow();
      mounted.remountReadOnly();
      assertEquals(Optional.empty(), others.claim(500, null));
      assertEquals(500, read(others).bytes());
      claim.release();
      assertEquals(0, read(others).bytes(), "it cannot be deleted, but counts no more");
    }
  }

  @Test
  void aClaimThatCannotBeDeletedCountsNoMoreAndGoesLater() throws IOException {
    Claim claim = claims.claim(500, null).orElseThrow();
    Path file = Path.of(claim.toString());
    byte[] none = {};
    claim.release();
    claims.dropSpares();
    Files.write(file, none);
    assertEquals(0, read(claims).bytes(), "as if the disk had been read-only at the release");
    assertFalse(Files.exists(file));
  }

  @Test
  void claimsMadeInTheSameTickOfTheFileSystemsClockAreSeen() throws IOException {
    for (int i = 1; i <= 50; i++) {
      plant("10-7-70-none-" + i);
      assertEquals(10L * i, read(claims).bytes());
    }
  }

  @Test
  void namesOfApplicationsOfOthersAreKept() throws IOException {
    try (RandomAccessFile file =
        new RandomAccessFile(plant("500-7-70-application_1_0002-1").toFile(), "rw")) {
      file.setLength(100);
    }
    plant("50-7-70-application_1_0002-2");
    assertEquals(Map.of("application_1_0002", 450L), read(claims).byApplication());
    assertNull(read(claims).byApplication().get("none"));
  }

  private Claims other() {
    return Layouts.claims(folder, proc, clock);
  }

  private static Claims.Outstanding read(Claims claims) {
    return claims.outstanding(TOTAL, Long.MAX_VALUE, 0);
  }

  private Path plant(String name) throws IOException {
    Path file = Files.createFile(folder.resolve(name));
    return Files.setLastModifiedTime(file, FileTime.fromMillis(clock.millis()));
  }

  private Path plantElsewhere() throws IOException {
    Path file = temp.resolve("target");
    return Files.exists(file) ? file : Files.createFile(file);
  }

  private int entries() {
    String[] names = folder.toFile().list();
    return names == null ? 0 : names.length;
  }
}
