// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.FullDisk;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.fixtures.Texts;
import io.temptier.fixtures.Trees;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.room.FileSystemCapacity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blocks of Spark on disks that are full, or go. */
class FullDiskBlocksTest {
  private static final int BLOCKS = 20;
  private static final int MB = 1 << 20;

  @TempDir Path temp;

  @ParameterizedTest
  @NeedsLoopDisk
  @CsvSource({"blocks", "inodes"})
  void blocksLeaveADiskThatTakesNoLink(String outOf) throws IOException {
    try (LoopDisk full =
        LoopDisk.create(temp, "fast", 100L * MB, "mkfs.ext4", "-q", "-F", "-m", "0", "-N", "200")) {
      LocalDir fast = Layouts.dir(Layouts.root(full.path()), Medium.NVME);
      LocalDir slow = Layouts.dir(Layouts.root(temp.resolve("slow")), Medium.DISK);
      Path below = Files.createDirectory(slow.path().resolve("app"));
      Path folder = Files.createDirectory(fast.path().resolve("app"));
      Path home = Files.createDirectories(folder.resolve("blockmgr-1/0a"));
      List<Path> files = new ArrayList<>();
      for (int i = 0; i < BLOCKS; i++) {
        files.add(Files.write(home.resolve("shuffle_0_" + i + "_0.data"), content(i)));
      }
      ColdBlocks.Blocks blocks =
          ColdBlocks.Blocks.of("application_1_0001", Map.of(fast, folder, slow, below), Set.of());
      AtomicLong moved = new AtomicLong();
      NodeTiers tiers = Layouts.relieved(0.2, 0.01, fast, slow);
      try (ColdBlocks cold =
          new ColdBlocks(
              tiers,
              new Pace(1L << 30),
              (request, placement) -> moved.addAndGet(request.bytes()),
              new FileSystemCapacity())) {
        Files.createFile(folder.resolve(ColdBlocks.SHARED));
        // The executor's, at its start: nothing is to be moved yet.
        cold.reserve(blocks);
        cold.round(List::of);
        if (outOf.equals("blocks")) {
          FullDisk.ofBlocks(full.path());
        } else {
          FullDisk.ofInodes(full.path());
        }
        Path target = Path.of("/" + "x".repeat(200));
        assertThrows(
            IOException.class, () -> Files.createSymbolicLink(full.path().resolve("x"), target));
        cold.round(() -> List.of(blocks));
      }
      assertEquals((long) BLOCKS * MB, moved.get());
      for (int i = 0; i < BLOCKS; i++) {
        assertTrue(Files.isSymbolicLink(files.get(i)), files.get(i)::toString);
        assertArrayEquals(content(i), Files.readAllBytes(files.get(i)));
      }
      assertEquals(BLOCKS, home.toFile().list().length, "no link of a temporary name");
    }
  }

  @Test
  @NeedsLoopDisk
  void aLinkThatFindsNoRoomSaysSo() throws IOException {
    try (LoopDisk full =
        LoopDisk.create(temp, "fast", 100L * MB, "mkfs.ext4", "-q", "-F", "-m", "0", "-N", "200")) {
      FullDisk.ofInodes(full.path());
      Path link = full.path().resolve("filler/link");
      LinkReserve empty = LinkReserve.of(full.path(), "none");
      empty.hold();
      assertThrows(
          LinkReserve.FullException.class, () -> LinkReserve.link(link, temp, List.of(empty)));
      assertTrue(Files.notExists(link, LinkOption.NOFOLLOW_LINKS));
    }
  }

  /** Nobody deletes a local dir that is no application's own. */
  @Test
  void theRoomForLinksGoesWithAProcessThatNoOtherFollows() throws IOException {
    LocalDir fast = Layouts.dir(Layouts.root(temp.resolve("fast")), Medium.NVME);
    LocalDir slow = Layouts.dir(Layouts.root(temp.resolve("slow")), Medium.DISK);
    Path folder = Files.createDirectory(fast.path().resolve("app"));
    NodeTiers tiers = Layouts.relieved(0, 0, fast, slow);
    try (ColdBlocks cold =
        new ColdBlocks(
            tiers, new Pace(1L << 30), (request, placement) -> {}, new FileSystemCapacity())) {
      cold.reserve(ColdBlocks.Blocks.of("", Map.of(fast, folder), Set.of("blockmgr-1")));
      cold.round(List::of);
      assertEquals(5, Trees.below(folder).size());
    }
    assertEquals(List.of(folder), Trees.below(folder));
  }

  private static byte[] content(int block) {
    byte[] content = new byte[MB];
    new Random(block).nextBytes(content);
    return content;
  }

  /** A move is what is on the disks, whatever a call says. */
  private final class OneMove {
    final LocalDir slow = Layouts.dir(Layouts.root(temp.resolve("slow")), Medium.DISK);
    final Path home = Files.createDirectories(temp.resolve("fast/blockmgr-1/0a"));
    final Path block = Files.write(home.resolve("shuffle_0_0_0.data"), content(7));
    final Path link = home.resolve("link");
    final Path copy = slow.path().resolve("blockmgr-1/0a/shuffle_0_0_0.data.1");
    boolean left;

    OneMove() throws IOException {
      Files.createDirectories(slow.path().resolve("blockmgr-1"));
    }

    void move(FileMover.Owner owner) throws IOException {
      FileMover.Route route =
          FileMover.Route.of(block, FileStamp.of(block), block, link, copy, copy, slow);
      MoveControl control =
          new MoveControl() {
            @Override
            public void pass(LocalDir target, long bytes) {}

            @Override
            public void left() {
              left = true;
            }
          };
      new FileMover(route, owner, control).move(1 << 30, List.of());
    }
  }

  @Test
  void theCopyIsLookedAtAtTheLastInstant() throws IOException {
    OneMove one = new OneMove();
    assertThrows(
        MoveStoppedException.class,
        () ->
            one.move(
                (name, copied, link) -> {
                  Files.delete(one.copy);
                  return ColdBlocks.replace(name, copied, link);
                }));
    assertTrue(Files.isRegularFile(one.block, LinkOption.NOFOLLOW_LINKS));
    assertArrayEquals(content(7), Files.readAllBytes(one.block));
    assertFalse(Files.exists(one.copy.getParent()));
    assertFalse(Files.exists(one.link, LinkOption.NOFOLLOW_LINKS));
    assertFalse(one.left);
  }

  @Test
  void aLinkToACopyThatIsGoneIsNoMove() throws IOException {
    OneMove one = new OneMove();
    Texts.thrown(
        IOException.class,
        () ->
            one.move(
                (name, copied, link) -> {
                  boolean done = ColdBlocks.replace(name, copied, link);
                  Files.delete(one.copy);
                  return done;
                }),
        one.copy.toString());
  }
}
