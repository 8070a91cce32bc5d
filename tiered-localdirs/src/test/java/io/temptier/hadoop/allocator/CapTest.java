// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.NeedsLoopDisk;
import io.temptier.testing.Invariants;
import io.temptier.tier.Layouts;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.settings.NodeTiers;
import io.temptier.tier.settings.TierSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.DiskChecker.DiskErrorException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A fast dir with a cap over a slow disk, a real and small one, that becomes full. */
@ExtendWith(Invariants.class)
@NeedsLoopDisk
class CapTest {
  private static final String KEY = "yarn.nodemanager.local-dirs";
  private static final long MB = 1L << 20;

  @TempDir Path temp;
  private final Configuration conf = new Configuration(false);
  @AutoClose private LoopDisk disk;
  private Path fast;
  private Path slow;

  @BeforeEach
  void makeDirs() throws IOException {
    disk = LoopDisk.create(temp, 64 * MB);
    fast = Files.createDirectories(temp.resolve("fast"));
    slow = Files.createDirectories(disk.path().resolve("yarn"));
    conf.set(KEY, fast + "," + slow);
  }

  private TieredLocalDirAllocator allocator(long capBytes) throws IOException {
    NodeTiers tiers =
        Layouts.tiers(
            Reserve.ofBytes(MB),
            TierSettings.DEFAULT,
            Layouts.dir(Layouts.root(fast), Medium.NVME, capBytes),
            Layouts.dir(Layouts.root(slow), Medium.DISK));
    return new TieredLocalDirAllocator(KEY, tiers);
  }

  /** Places a file and writes it; the root it is in. */
  private Path write(TieredLocalDirAllocator allocator, String name, long bytes)
      throws IOException {
    Path file = Path.of(allocator.getLocalPathForWrite(name, bytes, conf).toUri().getPath());
    Files.write(file, new byte[(int) bytes]);
    allocator.settled(file);
    return file.startsWith(fast) ? fast : slow;
  }

  /** The job sees stock's error, as if the dir were not in the list. */
  @Test
  void aCapOfZeroTakesNothingWhereNothingElseHasRoomEither() throws IOException {
    TieredLocalDirAllocator allocator = allocator(0);
    int written = 0;
    DiskErrorException error = null;
    while (error == null) {
      try {
        assertEquals(slow, write(allocator, "spill" + written, 8 * MB));
        written++;
      } catch (DiskErrorException e) {
        error = e;
      }
    }
    assertTrue(written >= 4, written + " were written");
    String text = String.valueOf(error.getMessage());
    assertTrue(text.startsWith("Could not find any valid local directory"), text);
    assertTrue(!text.contains(fast.toString()), text);
    // What lies there from before is found.
    Files.createFile(fast.resolve("old"));
    assertEquals(
        fast.resolve("old").toString(), allocator.getLocalPathToRead("old", conf).toString());
  }

  /** Not before the slow disk's reserve and all that is claimed there have given way. */
  @Test
  void aCapGivesWayBeforeAJobFailsAndLastOfAll() throws IOException {
    TieredLocalDirAllocator allocator = allocator(12 * MB);
    assertEquals(fast, write(allocator, "spill0", 8 * MB));
    int beyond = 0;
    for (int i = 1; i < 14; i++) {
      boolean fits = slow.toFile().getUsableSpace() > 8 * MB;
      Path in = write(allocator, "spill" + i, 8 * MB);
      assertEquals(fits ? slow : fast, in, "spill" + i);
      beyond += fits ? 0 : 1;
    }
    assertTrue(beyond > 0, "the slow disk did not become full");
    assertThrows(
        DiskErrorException.class,
        () -> allocator.getLocalPathForWrite("huge", Long.MAX_VALUE / 4, conf));
  }
}
