// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.NeedsLoopDisk;
import io.temptier.testing.FastAndSlow;
import io.temptier.testing.Invariants;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.settings.TierSettings;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.util.DiskChecker.DiskErrorException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Dirs that vanish, are emptied, go read-only or come back, where stock gives up on them for the
 * life of the JVM (HADOOP-18636, HADOOP-19554, HADOOP-19387).
 */
@ExtendWith(Invariants.class)
class AllocatorRecoveryTest {
  private static final AtomicInteger KEYS = new AtomicInteger();
  private static final long MB = 1L << 20;

  @TempDir Path temp;
  private final String key = "recovery.test.dirs." + KEYS.incrementAndGet();
  private final Configuration conf = new Configuration(false);
  private final TieredLocalDirAllocator allocator = new TieredLocalDirAllocator(key);
  private Path fast;
  private Path slow;
  private @Nullable LoopDisk disk;
  private int again;

  @BeforeEach
  void publish() throws IOException {
    publish(Files.createDirectories(temp.resolve("fast")));
  }

  private void publish(Path fastRoot) throws IOException {
    fast = fastRoot;
    slow = Files.createDirectories(temp.resolve("slow"));
    FastAndSlow.publish(fast, slow, Reserve.ofBytes(0), TierSettings.DEFAULT);
    conf.set(key, fast + "," + slow);
  }

  /** What the NodeManager does within a second of a root's being there. */
  private static void setUp(Path root) throws IOException {
    Files.createDirectories(NodeMarker.claims(root));
  }

  @AfterEach
  void close() throws IOException {
    TieredLocalDirAllocator.closeAll();
    if (disk != null) {
      disk.close();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDirThatWasDeletedOrEmptiedIsUsedOn(boolean deleted) throws IOException {
    assertEquals(fast, place("x/f"));
    if (deleted) {
      FileUtil.fullyDelete(fast.toFile());
    } else {
      FileUtil.fullyDeleteContents(fast.toFile());
    }
    place("x/meanwhile");
    setUp(fast);
    assertEventuallyPlacedIn(fast);
    assertTrue(Files.isDirectory(fast.resolve("x")));
  }

  @Test
  void aDirWhosePlaceWasTakenByAFileIsLeftForTheOthersAndComesBack() throws IOException {
    assertEquals(fast, place("x/f"));
    FileUtil.fullyDelete(fast.toFile());
    Files.createFile(fast);
    assertEquals(slow, place("x/g"));
    assertEquals(slow, place("x/h"));
    Files.delete(fast);
    setUp(fast);
    assertEventuallyPlacedIn(fast);
  }

  @Test
  void aDirThatWasNotThereAtTheStartIsUsedWhenItIs() throws IOException {
    FileUtil.fullyDelete(fast.toFile());
    Files.createFile(fast);
    assertEquals(slow, place("x/f"));
    Files.delete(fast);
    setUp(fast);
    assertEventuallyPlacedIn(fast);
  }

  @Test
  void filesOfADirThatIsGoneAreNotFoundAndThoseOfTheOthersAre() throws IOException {
    place("f");
    Files.createFile(fast.resolve("f"));
    Files.createFile(slow.resolve("g"));
    assertEquals(fast.resolve("f").toString(), allocator.getLocalPathToRead("f", conf).toString());
    FileUtil.fullyDelete(fast.toFile());
    assertThrows(DiskErrorException.class, () -> allocator.getLocalPathToRead("f", conf));
    assertEquals(slow.resolve("g").toString(), allocator.getLocalPathToRead("g", conf).toString());
    assertFalse(allocator.ifExists("f", conf));
  }

  @Test
  void allDirsGoneIsAnErrorUntilOneIsBack() throws IOException {
    place("f");
    for (Path dir : List.of(fast, slow)) {
      FileUtil.fullyDelete(dir.toFile());
      Files.createFile(dir);
    }
    assertThrows(DiskErrorException.class, () -> allocator.getLocalPathForWrite("f", MB, conf));
    Files.delete(slow);
    setUp(slow);
    assertEventuallyPlacedIn(slow);
  }

  @Test
  @NeedsLoopDisk
  void aDiskThatGoesReadOnlyIsLeftForTheOthers() throws IOException {
    LoopDisk made = LoopDisk.create(Files.createDirectories(temp.resolve("loop")), 64 * MB);
    disk = made;
    publish(Files.createDirectories(made.path().resolve("yarn")));
    assertEquals(fast, place("x/f"));
    Files.createFile(fast.resolve("x/written"));
    made.remountReadOnly();
    assertEquals(slow, place("x/g"));
    assertEquals(slow, place("y/h"));
    assertEquals(
        fast.resolve("x/written").toString(),
        allocator.getLocalPathToRead("x/written", conf).toString());
  }

  /** As S3A does since Hadoop 3.4: it asks for a path, and makes a file whose name begins so. */
  @Test
  void anUploadBufferIsClaimedForUntilItIsGone() throws IOException {
    File one = block();
    File two = block();
    assertEquals(20 * MB, claimed());
    Files.write(one.toPath(), new byte[(int) MB]);
    Files.write(two.toPath(), new byte[(int) MB]);
    assertEventuallyClaimed(18 * MB);
    Files.delete(one.toPath());
    assertEventuallyClaimed(9 * MB);
    Files.delete(two.toPath());
    assertEventuallyClaimed(0);
  }

  private File block() throws IOException {
    File asked =
        new File(allocator.getLocalPathForWrite("s3ablock-0001-", 10 * MB, conf).toString());
    return File.createTempFile(asked.getName(), null, asked.getParentFile());
  }

  @Test
  void lookingWhetherAFileExistsDoesNotSettleItAndReadingItDoes() throws IOException {
    Path file = place("f").resolve("f");
    Files.createFile(file);
    allocator.ifExists("f", conf);
    allocator.getAllLocalPathsToRead("f", conf);
    assertEquals(MB, claimed());
    allocator.getLocalPathToRead("f", conf);
    assertEventuallyClaimed(0);
  }

  /** A moment later others see what was given up. */
  private void assertEventuallyClaimed(long bytes) {
    Eventually.holds(bytes + " bytes are claimed", () -> claimed() == bytes);
  }

  private long claimed() {
    // The views are as old as the refresh interval; the folder is what others see.
    File[] ledgers = NodeMarker.claims(fast).toFile().listFiles();
    return ledgers == null ? 0 : Arrays.stream(ledgers).mapToLong(File::length).sum();
  }

  /** Places a file and says in which root. */
  private Path place(String path) throws IOException {
    Path file = Path.of(allocator.getLocalPathForWrite(path, MB, conf).toUri().getPath());
    return file.startsWith(fast) ? fast : slow;
  }

  private void assertEventuallyPlacedIn(Path dir) {
    Eventually.holds(dir + " is used again", () -> dir.equals(place("x/again" + again++)));
  }
}
