// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.NeedsLoopDisk;
import io.temptier.testing.FastAndSlow;
import io.temptier.testing.Invariants;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.settings.NodeTiers;
import io.temptier.tier.settings.TierSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that become larger than anybody said, over a fast disk that is a real, small one. */
@NeedsLoopDisk
@ExtendWith(Invariants.class)
class LargeFilesTest {
  private static final long MB = 1L << 20;
  private static final long FAST_BYTES = 64 * MB;
  private static final long ARCHIVE_BYTES = 90 * MB;
  private static final String KEY = "yarn.nodemanager.local-dirs";
  private static final String APPLICATION = "application_1_0001";
  private static final String APP_DIR = "usercache/ann/appcache/" + APPLICATION;

  @TempDir Path temp;
  private final Configuration conf = new Configuration(false);
  @AutoClose private LoopDisk disk;
  private Path fast;
  private Path slow;
  private TieredLocalDirAllocator allocator;

  @BeforeEach
  void makeDirs() throws IOException {
    disk = LoopDisk.create(temp, FAST_BYTES);
    fast = Files.createDirectories(disk.path().resolve("yarn"));
    slow = Files.createDirectories(temp.resolve("slow"));
    conf.set(KEY, fast + "," + slow);
    allocator = allocator(TierSettings.DEFAULT.largeSizeBytes());
  }

  /** The NodeManager's allocator. */
  private TieredLocalDirAllocator allocator(long largeSizeBytes) throws IOException {
    TierSettings settings =
        TierSettings.DEFAULT.toBuilder()
            .unknownSizeBytes(8 * MB)
            .largeSizeBytes(largeSizeBytes)
            .build();
    NodeTiers tiers = FastAndSlow.publish(fast, slow, Reserve.ofBytes(MB), settings);
    return new TieredLocalDirAllocator(KEY, tiers);
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
      Path root = place(folder, size);
      write(root.resolve(folder).resolve("archive" + attempt), ARCHIVE_BYTES);
      Files.delete(root.resolve(folder).resolve("archive" + attempt));
      assertEquals(slow, root);
    }
  }

  @Test
  void smallFilesOfTheNodeManagerStayOnTheFastTier() throws IOException {
    assertEquals(fast, place("nmPrivate/" + APPLICATION + "/container_1_0001_01_000001/x", -1));
    assertEquals(fast, place("usercache/ann/filecache/csivolumes/" + APPLICATION + "/c", -1));
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
    allocator = allocator(8 * MB);
    assertEquals(fast, place(folder, size));
    assertNoSpaceFor(folder);
    allocator.failures().failed("ann", APPLICATION, visibility);
    assertEquals(slow, place(folder, size));
    write(slow.resolve(folder).resolve("archive"), ARCHIVE_BYTES);
    assertEquals(
        fast, place("usercache/bob/appcache/application_1_0002/filecache", 0), "another's");
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
    allocator = allocator(8 * MB);
    String first = "output/attempt_1_0001_m_000000_0/file.out";
    assertEquals(fast, place(first, size));
    assertTrue(claimed(fast) >= 8 * MB, "as unknown");
    assertNoSpaceFor("output/attempt_1_0001_m_000000_0");
    assertEquals(slow, place(first.replace("0/file", "1/file"), size));
    write(slow.resolve("output/attempt_1_0001_m_000000_1/file.out"), ARCHIVE_BYTES);
  }

  @Test
  void aRetryGoesElsewhereThanTheAttemptBefore() throws IOException {
    allocator = allocator(8 * MB);
    String tez = "output/attempt_1_0001_1_00_000000_%d_10003/file.out";
    assertEquals(fast, place(String.format(tez, 0), 0));
    assertEquals(slow, place(String.format(tez, 1), 0), "the first left its folder there");
    assertEquals(slow, place(String.format(tez, 2), 0));
    String spill = "attempt_1_0001_m_000000_%d_spill_0.out";
    assertEquals(fast, place(String.format(spill, 1), MB), "the first ran on another node");
    assertEquals(slow, place(String.format(spill, 2), MB), "nobody knows where the others ran");
  }

  /** No attempt's files, so that nobody tries again. Stock, drawing by room, writes all of them. */
  @Test
  void filesOfUnknownSizeGoWhereStockWouldMostLikelyPutThem() throws IOException {
    for (int i = 0; i < 4; i++) {
      assertEquals(slow, place("unknown" + i, -1));
      write(slow.resolve("unknown" + i).resolve("all"), 50 * MB);
    }
  }

  /** Each is no larger than temptier.large-size, and together they are larger than the disk. */
  @Test
  void filesOfUnknownSizeThatAreWrittenAtATimeFillNoDisk() throws IOException {
    allocator = allocator(24 * MB);
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      String file = "output/attempt_1_0001_m_00000" + i + "_0/file.out";
      files.add(place(file, -1).resolve(file));
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
    NodeTiers tiers = FastAndSlow.tiers(roomy, small, Reserve.ofFraction(1), TierSettings.DEFAULT);
    TieredLocalDirAllocator full = new TieredLocalDirAllocator(KEY, tiers);
    String placed = full.getLocalPathForWrite("filecache", 0, conf, true).toUri().getPath();
    assertTrue(placed.startsWith(slow.toString()), placed);
  }

  private static long claimed(Path root) throws IOException {
    long sum = 0;
    try (var claims = Files.list(NodeMarker.claims(root))) {
      for (Path ledger : claims.toList()) {
        sum += Files.size(ledger);
      }
    }
    return sum;
  }

  /** Asks for a path and says in which root it is; its folder is there afterwards. */
  private Path place(String path, long size) throws IOException {
    Path file = Path.of(allocator.getLocalPathForWrite(path, size, conf, true).toUri().getPath());
    Files.createDirectories(path.endsWith(".out") ? file.getParent() : file);
    return file.startsWith(fast) ? fast : slow;
  }

  private static void write(Path file, long bytes) throws IOException {
    byte[] block = new byte[1 << 20];
    try (OutputStream out = Files.newOutputStream(file)) {
      for (long left = bytes; left > 0; left -= block.length) {
        out.write(block, 0, (int) Math.min(left, block.length));
      }
    }
  }
}
