// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.tier.Layouts;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.marker.TierSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that become larger than anybody said, over a fast disk that is a real, small one. */
@NeedsLoopDisk
class LargeFilesTest extends AllocatorBed {
  private static final long ARCHIVE_BYTES = 90 * MB;
  private static final String APPLICATION = "application_1_0001";
  private static final String APP_DIR = "usercache/ann/appcache/" + APPLICATION;

  @BeforeEach
  void makeDisk() throws IOException {
    over(mount(temp).path().resolve("yarn"), slow);
    large(TierSettings.DEFAULT.largeSizeBytes());
  }

  /** The NodeManager's allocator, with such a {@code temptier.large-size}. */
  private void large(long bytes) throws IOException {
    TierSettings.Builder settings = TierSettings.DEFAULT.toBuilder();
    settings.unknownSizeBytes(8 * MB).largeSizeBytes(bytes);
    allocator = new TieredLocalDirAllocator(key, publish(MB, settings.build()));
  }

  /** What the NodeManager asks for each of them, and what comes of it. */
  @ParameterizedTest
  @CsvSource({
    "./filecache, -1",
    "usercache/ann/filecache, 0",
    APP_DIR + "/filecache, 0",
    APP_DIR + "/container_1_0001_01_000001, -1"
  })
  void whatMayBeLargeGoesWhereThereIsRoom(String folder, long size) throws IOException {
    for (int attempt = 0; attempt < 6; attempt++) {
      Path root = placeIn(folder, size);
      write(root.resolve(folder).resolve("archive" + attempt), ARCHIVE_BYTES);
      Files.delete(root.resolve(folder).resolve("archive" + attempt));
      assertEquals(slow, root);
    }
  }

  @Test
  void smallFilesOfTheNodeManagerStayOnTheFastTier() throws IOException {
    assertEquals(fast, placeIn("nmPrivate/" + APPLICATION + "/container_1_0001_01_000001/x", -1));
    assertEquals(fast, placeIn("usercache/ann/filecache/csivolumes/" + APPLICATION + "/c", -1));
  }

  /** The fast tier has the room of a large file, and this one is larger still. */
  @ParameterizedTest
  @CsvSource({
    "./filecache, -1, PUBLIC",
    "usercache/ann/filecache, 0, PRIVATE",
    APP_DIR + "/filecache, 0, APPLICATION",
    APP_DIR + "/container_1_0001_01_000002, -1, "
  })
  void aFailedContainersNextTryLandsElsewhere(
      String folder, long size, LocalResourceVisibility visibility) throws IOException {
    large(8 * MB);
    assertEquals(fast, placeIn(folder, size));
    assertNoSpaceFor(folder);
    allocator.dirs.failures().failed("ann", APPLICATION, visibility);
    assertEquals(slow, placeIn(folder, size));
    write(slow.resolve(folder).resolve("archive"), ARCHIVE_BYTES);
    assertEquals(
        fast, placeIn("usercache/bob/appcache/application_1_0002/filecache", 0), "another's");
  }

  private void assertNoSpaceFor(String folder) throws IOException {
    Path archive = fast.resolve(folder).resolve("archive");
    assertThrows(IOException.class, () -> write(archive, ARCHIVE_BYTES));
    Files.delete(archive);
  }

  /** MapReduce and Tez say 0 or -1 of final outputs they know nothing of. */
  @ParameterizedTest
  @ValueSource(longs = {0, -1})
  void aTasksFileOfUnknownSizeIsClaimedForAndItsRetryLandsElsewhere(long size) throws IOException {
    large(8 * MB);
    String first = "output/attempt_1_0001_m_000000_0/file.out";
    assertEquals(fast, placeIn(first, size));
    assertTrue(claimed(fast) >= 8 * MB, "as unknown");
    assertNoSpaceFor("output/attempt_1_0001_m_000000_0");
    assertEquals(slow, placeIn(first.replace("0/file", "1/file"), size));
    write(slow.resolve("output/attempt_1_0001_m_000000_1/file.out"), ARCHIVE_BYTES);
  }

  @Test
  void aRetryGoesElsewhereThanTheAttemptBefore() throws IOException {
    large(8 * MB);
    String tez = "output/attempt_1_0001_1_00_000000_%d_10003/file.out";
    assertEquals(fast, placeIn(String.format(tez, 0), 0));
    assertEquals(slow, placeIn(String.format(tez, 1), 0), "the first left its folder there");
    assertEquals(slow, placeIn(String.format(tez, 2), 0));
    String spill = "attempt_1_0001_m_000000_%d_spill_0.out";
    assertEquals(fast, placeIn(String.format(spill, 1), MB), "the first ran on another node");
    assertEquals(slow, placeIn(String.format(spill, 2), MB), "nobody knows where the others ran");
  }

  /** No attempt's files, so that nobody tries again. Stock, drawing by room, writes all of them. */
  @Test
  void filesOfUnknownSizeGoWhereStockWouldMostLikelyPutThem() throws IOException {
    for (int i = 0; i < 4; i++) {
      assertEquals(slow, placeIn("unknown" + i, -1));
      write(slow.resolve("unknown" + i).resolve("all"), 50 * MB);
    }
  }

  /** Each is no larger than temptier.large-size, and together they are larger than the disk. */
  @Test
  void filesOfUnknownSizeThatAreWrittenAtATimeFillNoDisk() throws IOException {
    large(24 * MB);
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      String file = "output/attempt_1_0001_m_00000" + i + "_0/file.out";
      files.add(placeIn(file, -1).resolve(file));
    }
    assertTrue(files.get(0).startsWith(fast), files::toString);
    for (Path file : files) {
      write(file, 24 * MB);
    }
  }

  @Test
  void withNothingAboveTheReserveWhatMayBeLargeGoesWhereMostIsLeft() throws IOException {
    // Stock draws the dirs by their room.
    Path roomy = slow;
    Path small = fast;
    NodeTiers tiers = Layouts.tiers(roomy, small, Reserve.ofFraction(1), TierSettings.DEFAULT);
    TieredLocalDirAllocator full = new TieredLocalDirAllocator(key, tiers);
    String placed = full.getLocalPathForWrite("filecache", 0, conf, true).toUri().getPath();
    assertTrue(placed.startsWith(slow.toString()), placed);
  }

  /** Asks for a path and says in which root it is; its folder is there afterwards. */
  private Path placeIn(String path, long size) throws IOException {
    Path file = place(path, size);
    Files.createDirectories(path.endsWith(".out") ? file.getParent() : file);
    return rootOf(file);
  }

  private static void write(Path file, long bytes) throws IOException {
    write(file, bytes, false);
  }
}
