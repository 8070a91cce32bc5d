// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.demotion.ColdBlocks;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.os.ProcessTable;
import io.temptier.tier.settings.NodeTiers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ten outputs of a megabyte on a fast dir of ten; their executor is gone. */
class EndedExecutorsTest {
  private static final String APPLICATION = "application_1_0001";
  private static final Path BELOW = Path.of("usercache", "ann", "appcache", APPLICATION);
  private static final String HOME = "blockmgr-1b4e28ba-2fa1-11d2-883f-0016d3cca427";
  private static final int OUTPUTS = 10;
  private static final int OUTPUT_BYTES = 1 << 20;

  private final Path temp;
  private final Path fast;
  private final Path slow;
  private final Path home;

  EndedExecutorsTest(@TempDir Path temp) throws IOException {
    this.temp = temp;
    fast = temp.resolve("fast");
    slow = temp.resolve("slow");
    home = Files.createDirectories(fast.resolve(BELOW).resolve(HOME).resolve("0a"));
    Files.createDirectories(slow.resolve(BELOW));
    Files.createFile(fast.resolve(BELOW).resolve(ColdBlocks.SHARED));
    for (int i = 0; i < OUTPUTS; i++) {
      Files.write(output(i), content(i));
      Files.setLastModifiedTime(output(i), FileTime.fromMillis(1_000_000 + i));
    }
  }

  @Test
  void theOldestBlocksGoDownAndAreFoundAtHome() throws Exception {
    assertEquals(3L * OUTPUT_BYTES, moved(ProcessTable.uidOf(temp)));
    for (int i = 0; i < OUTPUTS; i++) {
      assertArrayEquals(content(i), Files.readAllBytes(output(i)));
      assertEquals(i < 3, Files.isSymbolicLink(output(i)), "output " + i);
      assertEquals(i < 3, output(i).toRealPath().startsWith(slow.toRealPath()), "output " + i);
    }
  }

  @Test
  void anApplicationThatDoesNotWantItIsLeftAlone() throws Exception {
    Files.delete(fast.resolve(BELOW).resolve(ColdBlocks.SHARED));
    assertEquals(0, moved(ProcessTable.uidOf(temp)));
  }

  @Test
  void anotherUsersBlocksStay() throws Exception {
    assertEquals(0, moved(ProcessTable.uidOf(temp) + 1));
  }

  @Test
  void withoutAFolderBelowTheyStay() throws Exception {
    Files.delete(slow.resolve(BELOW));
    assertEquals(0, moved(ProcessTable.uidOf(temp)));
    assertFalse(Files.exists(slow.resolve(BELOW)));
  }

  @Test
  void aFolderThatIsALinkIsNotFollowed() throws Exception {
    Path elsewhere = Files.createDirectories(temp.resolve("elsewhere"));
    Path real = fast.resolve(BELOW).resolve(HOME);
    Files.move(real, elsewhere.resolve(HOME));
    Files.createSymbolicLink(real, elsewhere.resolve(HOME));
    assertEquals(0, moved(ProcessTable.uidOf(temp)));
    assertTrue(
        Files.isRegularFile(elsewhere.resolve(HOME).resolve("0a").resolve("shuffle_0_1_0.data")));
  }

  @Test
  void whatOneApplicationDoesKeepsNoOtherFromMoving() throws Exception {
    Map<LocalDir, Path> folders = Map.of(tiers().layout().dirs().get(0), fast.resolve(BELOW));
    ColdBlocks.Blocks hostile = ColdBlocks.Blocks.ofOther("application_1_0009", folders);
    assertEquals(3L * OUTPUT_BYTES, moved(ProcessTable.uidOf(temp), hostile));
  }

  /** Bytes that go in a round, in which others' blocks come first and cannot be read. */
  private long moved(int ownUid, ColdBlocks.Blocks... others) {
    AtomicLong moved = new AtomicLong();
    // Whatever the disks have, the cap tells.
    Capacity empty = Capacity.of(1L << 40, 1L << 40, 1 << 20, 1 << 20);
    try (ColdBlocks cold =
        new ColdBlocks(
            tiers(),
            new Pace(1L << 30),
            (request, placement) -> moved.addAndGet(request.bytes()),
            dir -> empty,
            (blocks, from, bytes, below) -> {
              throw new IOException("its folders are exchanged all the time");
            })) {
      Map<String, String> users = Map.of(APPLICATION, "ann");
      List<ColdBlocks.Blocks> all = new ArrayList<>(List.of(others));
      all.addAll(SparkUpkeep.blocks(tiers().layout(), users, ownUid, false));
      cold.round(() -> all);
    }
    return moved.get();
  }

  private NodeTiers tiers() {
    return Layouts.tiers(
        Reserve.DEFAULT,
        Layouts.SETTINGS.toBuilder()
            .unknownSizeBytes(OUTPUT_BYTES)
            .refresh(Duration.ZERO)
            .claimIdle(Duration.ofMinutes(10))
            .largeSizeBytes(0)
            .build(),
        Layouts.dir(fast, Medium.NVME, (long) OUTPUTS * OUTPUT_BYTES),
        Layouts.dir(slow, Medium.DISK));
  }

  private Path output(int map) {
    return home.resolve("shuffle_0_" + map + "_0.data");
  }

  private static byte[] content(int seed) {
    byte[] content = new byte[OUTPUT_BYTES];
    Arrays.fill(content, (byte) seed);
    return content;
  }
}
