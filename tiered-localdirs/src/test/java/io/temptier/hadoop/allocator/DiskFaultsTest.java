// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.fixtures.Programs;
import io.temptier.fixtures.Texts;
import io.temptier.tier.Layouts;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.marker.TierSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.util.DiskChecker.DiskErrorException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A task over a real, small disk that becomes full, runs out of something or fails meanwhile. */
@NeedsLoopDisk
class DiskFaultsTest extends AllocatorBed {
  private @Nullable Path thin;

  private void makeDisk(Path folder, String... mkfs) throws IOException {
    over(mount(folder, mkfs).path().resolve("yarn"), slow);
    NodeTiers unused = publish(MB, TierSettings.DEFAULT);
  }

  /** Its device has less room than it says: a write to the rest is an I/O error. */
  private void makeThinDisk() throws IOException {
    Path folder = Files.createDirectories(temp.resolve("thin"));
    Programs.run("mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", folder.toString());
    thin = folder;
    makeDisk(folder);
  }

  @Override
  @AfterEach
  void close() throws IOException {
    super.close();
    if (thin != null) {
      Programs.run("umount", "-l", thin.toString());
    }
  }

  @Test
  void aTierThatOthersFillWhileAFileIsWrittenIsLeftByTheNextAttempt() throws IOException {
    makeDisk(temp);
    Path spill = place("attempt_1_0001_m_000000_0_spill_0.out", 10 * MB);
    assertTrue(spill.startsWith(fast), spill::toString);
    try (OutputStream out = Files.newOutputStream(spill)) {
      // Whoever it is, it asks nobody.
      assertThrows(IOException.class, () -> write(fast.resolve("other"), 100 * MB));
      assertThrows(IOException.class, () -> out.write(new byte[(int) (10 * MB)]));
    }
    Files.delete(fast.resolve("other"));
    Files.delete(spill);
    Path again = place("attempt_1_0001_m_000000_1_spill_0.out", 10 * MB);
    assertTrue(again.startsWith(slow), again::toString);
    write(again, 10 * MB);
  }

  @Test
  void aTierOutOfInodesIsPassedOverUntilItHasSome() throws Exception {
    makeDisk(temp, "mkfs.ext4", "-q", "-F", "-m", "0", "-N", "128");
    assertTrue(place("output/before.out", MB).startsWith(fast));
    List<Path> junk = new ArrayList<>();
    assertThrows(
        IOException.class,
        () -> {
          for (int i = 0; i < 1000; i++) {
            junk.add(Files.createFile(fast.resolve("junk" + i)));
          }
        });
    for (int i = 0; i < 20; i++) {
      // Large and small ones, of a folder that is there and of one that is not.
      write(place("output/spill" + i + ".out", MB), MB);
      write(place("folder" + i + "/file.out.index", 100), 100);
    }
    for (Path file : junk) {
      Files.delete(file);
    }
    awaitPlacedIn(fast);
  }

  @Test
  void aDeviceThatFailsIsLeftForTheOthers() throws Exception {
    makeThinDisk();
    Path before = place("output/before.out", MB);
    assertTrue(before.startsWith(fast), before::toString);
    write(before, MB);
    Path failing = place("output/spill0.out", 20 * MB);
    assertTrue(failing.startsWith(fast), failing::toString);
    assertThrows(IOException.class, () -> write(failing, 20 * MB));
    awaitPlacedIn(slow);
    for (int i = 0; i < 20; i++) {
      writeAgainAndAgain("output/after" + i + ".out", MB);
      writeAgainAndAgain("folder" + i + "/file.out.index", 100);
    }
    assertEquals(
        before.toString(), allocator.getLocalPathToRead("output/before.out", conf).toString());
  }

  /** A full thin pool: all attempts would go there, each in a process of its own. */
  @Test
  void aDiskThatTakesNoDataIsLeftByTheSecondAttemptAtTheLatest() throws Exception {
    makeThinDisk();
    String spill = "attempt_1_0001_m_00000%d_%d_spill_0.out";
    Path first = place(String.format(spill, 0, 0), 20 * MB);
    assertTrue(first.startsWith(fast), first::toString);
    assertThrows(IOException.class, () -> write(first, 20 * MB));
    TieredLocalDirs.closeAll();
    Path second = place(String.format(spill, 0, 1), 20 * MB);
    assertTrue(second.startsWith(slow), second::toString);
    write(second, 20 * MB);
    // Both earlier attempts ran on other nodes.
    TieredLocalDirs.closeAll();
    Path stranger = place(String.format(spill, 1, 2), 20 * MB);
    assertTrue(stranger.startsWith(slow), stranger::toString);
    write(stranger, 20 * MB);
  }

  /** A fast dir with a cap over a slow, small disk. */
  private void cap(long bytes) throws IOException {
    over(fast, mount(temp).path().resolve("yarn"));
    NodeTiers tiers =
        Layouts.tiers(
            Reserve.ofBytes(MB),
            TierSettings.DEFAULT,
            Layouts.dir(Layouts.root(fast), Medium.NVME, bytes),
            Layouts.dir(Layouts.root(slow), Medium.DISK));
    allocator = new TieredLocalDirAllocator(key, tiers);
  }

  /** Places a file and writes it; the root it is in. */
  private Path placeAndWrite(String name, long bytes) throws IOException {
    Path file = place(name, bytes);
    write(file, bytes, false);
    allocator.dirs.settled(file);
    return rootOf(file);
  }

  /** The job sees stock's error, as if the dir were not in the list. */
  @Test
  void aCapOfZeroTakesNothingWhereNothingElseHasRoomEither() throws IOException {
    cap(0);
    int written = 0;
    DiskErrorException error = null;
    while (error == null) {
      try {
        assertEquals(slow, placeAndWrite("spill" + written, 8 * MB));
        written++;
      } catch (DiskErrorException e) {
        error = e;
      }
    }
    assertTrue(written >= 4, written + " were written");
    String text = String.valueOf(error.getMessage());
    Texts.has(text, "Could not find any valid local directory");
    Texts.lacks(text, fast.toString());
    // What lies there from before is found.
    Files.createFile(fast.resolve("old"));
    assertEquals(fast.resolve("old") + "", allocator.getLocalPathToRead("old", conf) + "");
  }

  /** Not before the slow disk's reserve and all that is claimed there have given way. */
  @Test
  void aCapGivesWayBeforeAJobFailsAndLastOfAll() throws IOException {
    cap(12 * MB);
    assertEquals(fast, placeAndWrite("spill0", 8 * MB));
    int beyond = 0;
    for (int i = 1; i < 14; i++) {
      boolean fits = slow.toFile().getUsableSpace() > 8 * MB;
      Path in = placeAndWrite("spill" + i, 8 * MB);
      assertEquals(fits ? slow : fast, in, "spill" + i);
      beyond += fits ? 0 : 1;
    }
    assertTrue(beyond > 0, "the slow disk did not become full");
    assertThrows(
        DiskErrorException.class,
        () -> allocator.getLocalPathForWrite("huge", Long.MAX_VALUE / 4, conf));
  }

  /** As attempts of a task do: the device still takes what fits, and is tried once in a while. */
  private void writeAgainAndAgain(String path, long bytes) {
    Eventually.holds(
        path + " is written",
        () -> {
          try {
            write(place(path, bytes), bytes);
            return true;
          } catch (IOException e) {
            return false;
          }
        });
  }

  private void awaitPlacedIn(Path dir) {
    int[] files = {0};
    Eventually.holds(
        dir + " takes files",
        () -> {
          Path file = place("output/again" + files[0]++ + ".out", MB);
          if (file.startsWith(dir)) {
            return true;
          }
          try {
            write(file, MB);
          } catch (IOException e) {
            // The disk has not noticed yet, or has just done so.
          }
          return false;
        });
  }

  private static void write(Path file, long bytes) throws IOException {
    write(file, bytes, true);
  }
}
