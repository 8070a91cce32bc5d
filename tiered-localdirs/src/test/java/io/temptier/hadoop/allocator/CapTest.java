// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.fixtures.Texts;
import io.temptier.tier.Layouts;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.settings.NodeTiers;
import io.temptier.tier.settings.TierSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.util.DiskChecker.DiskErrorException;
import org.junit.jupiter.api.Test;

/** A fast dir with a cap over a slow disk, a real and small one, that becomes full. */
@NeedsLoopDisk
class CapTest extends AllocatorBed {
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
  private Path write(String name, long bytes) throws IOException {
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
        assertEquals(slow, write("spill" + written, 8 * MB));
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
    assertEquals(fast, write("spill0", 8 * MB));
    int beyond = 0;
    for (int i = 1; i < 14; i++) {
      boolean fits = slow.toFile().getUsableSpace() > 8 * MB;
      Path in = write("spill" + i, 8 * MB);
      assertEquals(fits ? slow : fast, in, "spill" + i);
      beyond += fits ? 0 : 1;
    }
    assertTrue(beyond > 0, "the slow disk did not become full");
    assertThrows(
        DiskErrorException.class,
        () -> allocator.getLocalPathForWrite("huge", Long.MAX_VALUE / 4, conf));
  }
}
