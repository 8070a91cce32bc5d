// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.fixtures.OtherUser;
import io.temptier.fixtures.Programs;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The fast tier is a real ext4 of 512 MB that does not hold what all writers want to write. */
@NeedsLoopDisk
class ClaimRaceTest extends WriterRace {
  /** Some that have names on every Linux, without which Hadoop does not start. */
  private static final List<Integer> UIDS = List.of(1, 65_534);

  @AutoClose private @Nullable LoopDisk disk;

  @Override
  LocalDir makeFast() throws IOException {
    disk = LoopDisk.create(temp, TIER_BYTES);
    return LocalDir.of(disk.path(), Medium.NVME, LocalDir.NO_CAP, "test");
  }

  @Test
  void tieredWritersNeverOvercommitTheTier() throws Exception {
    long room = fast.toFile().getUsableSpace();
    neverOvercommit(room, room * 7 / 10);
  }

  @Test
  void stockWritersOvercommitTheSameTier() throws Exception {
    // So that all ask before any has written what it was promised.
    race("stock", fast.toString(), 1_000);
    assertTrue(count("ENOSPC") > 0, "stock was expected to promise more than there is");
  }

  @Test
  void claimsOfKilledProcessesVanish() throws Exception {
    int living = 8;
    for (int i = 0; i < 2 * living; i++) {
      start("tiered", fast + "," + slow, i, 600_000).go();
    }
    writers.forEach(writer -> writer.await("placed"));
    assertEquals(2 * living, claimed());
    for (Writer writer : writers.subList(0, living)) {
      writer.process.destroyForcibly().waitFor();
    }
    // Any placement reads the claims; those without an owner count nothing and are removed.
    Eventually.holds(
        "claims of killed processes are gone",
        () -> {
          askOnce();
          return claimed() <= living;
        });
  }

  @Test
  void smallFilesOfManyProcessesAreNeverPromisedMoreThanThereIs() throws Exception {
    Reserve reserve = Reserve.ofFraction(0.15);
    mark(reserve);
    long room = fast.toFile().getUsableSpace() - reserve.bytesOf(TIER_BYTES) * 9 / 10;
    // Half of what was once taken for too small to look whether it fits.
    long bytes = room / 2048;
    for (int i = 0; i < 4; i++) {
      start("tiered", fast + "," + slow, i, bytes, 0, "1500");
    }
    assertPromisedOnce(room);
  }

  /** As of two users' containers: what each may read of the other's is a name and a length. */
  @Test
  void twoUsersWithUmask077SeeEachOthersClaims() throws Exception {
    Reserve reserve = Reserve.ofFraction(0.4);
    mark(reserve);
    Files.setAttribute(claims(), "unix:mode", 01777);
    long room = fast.toFile().getUsableSpace() - reserve.bytesOf(TIER_BYTES) * 9 / 10;
    // Each asks for three quarters, which is less than the half of the disk that one may claim.
    long bytes = room / 200;
    for (int uid : UIDS) {
      List<String> dirs = new ArrayList<>();
      for (Path root : List.of(fast, slow)) {
        Path user = root.resolve("usercache/user" + uid);
        Path dir = Files.createDirectories(user.resolve("appcache/application_1_" + uid));
        for (Path folder : List.of(user, user.resolve("appcache"), dir)) {
          Files.setAttribute(folder, "unix:uid", uid);
          Files.setAttribute(folder, "unix:mode", 0700);
        }
        dirs.add(dir.toString());
      }
      List<String> program = program("tiered", String.join(",", dirs), uid, bytes, 0, "150");
      start(OtherUser.command(temp, uid, program));
    }
    assertPromisedOnce(room);
    Set<Object> owners = new HashSet<>();
    for (String claim : claims().toFile().list()) {
      Map<String, Object> attributes =
          Files.readAttributes(claims().resolve(claim), "unix:uid,mode");
      owners.add(attributes.get("uid"));
      int mode = (Integer) Objects.requireNonNull(attributes.get("mode"));
      assertEquals(0, mode & 0022, "its owner alone may write " + claim);
    }
    assertEquals(Set.copyOf(UIDS), owners);
  }

  /** All writers hold what they were promised; together they asked for more than there is. */
  private void assertPromisedOnce(long room) throws Exception {
    for (Writer writer : writers) {
      writer.go();
    }
    writers.forEach(writer -> writer.await("placed"));
    // All know now how empty the dir was.
    for (Writer writer : writers) {
      writer.go();
    }
    writers.forEach(writer -> writer.await("ended"));
    long promised = promised();
    assertTrue(promised <= room, promised + " bytes were promised where " + room + " fit");
    assertTrue(
        promised >= room / 2, promised + " of " + room + " bytes were promised: far too careful");
  }

  /** It cannot renew its claim, which is then older than its lease of five seconds; but it runs. */
  @Test
  void aPausedProcessKeepsItsClaim() throws Exception {
    Writer paused = start("tiered", fast + "," + slow, 1, 600_000);
    paused.go();
    paused.await("placed");
    Writer other = start("tiered", fast + "," + slow, 0, 0);
    other.go();
    signal(paused, "STOP");
    // The other one writes all there is meanwhile.
    assertEquals(0, other.process.waitFor());
    File claim = claimOf(paused);
    Eventually.holds(
        "its lease is over", () -> System.currentTimeMillis() > claim.lastModified() + 6_000);
    askOnce();
    assertEquals(claim, claimOf(paused));
    Writer next = start("tiered", fast + "," + slow, 2, 0);
    next.go();
    assertEquals(0, next.process.waitFor());
    next.reader.join();
    signal(paused, "CONT");
    assertEquals(0, count("ENOSPC"));
    assertFalse(next.lines.contains("placed"), "its room was given to another");
  }

  private File claimOf(Writer writer) {
    String pid = writer.process.pid() + "-";
    return Arrays.stream(ledgers())
        .filter(ledger -> ledger.getName().startsWith(pid))
        .findFirst()
        .orElseThrow();
  }

  private static void signal(Writer writer, String signal) throws Exception {
    Programs.run("kill", "-" + signal, Long.toString(writer.process.pid()));
  }
}
