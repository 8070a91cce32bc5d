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
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.os.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FileUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spark's blocks on a node whose executors are gone, with a home on the fast dir. */
class SparkUpkeepTest {
  private static final String APPLICATION = "application_1_0001";
  private static final Path BELOW = Path.of("usercache", "ann", "appcache", APPLICATION);
  private static final String HOME = "blockmgr-1b4e28ba-2fa1-11d2-883f-0016d3cca427";
  private static final int OUTPUTS = 10;
  private static final int OUTPUT_BYTES = 1 << 20;

  private long laterMillis = 2 * BlockOrphans.AGE.toMillis();
  private final Path temp;
  private final Path fast;
  private final Path slow;
  private final Path home;
  private final Path annex;

  SparkUpkeepTest(@TempDir Path temp) throws IOException {
    this.temp = temp;
    fast = temp.resolve("fast");
    slow = temp.resolve("slow");
    home = Files.createDirectories(fast.resolve(BELOW).resolve(HOME).resolve("0a"));
    annex = Files.createDirectories(slow.resolve(BELOW).resolve("temptier-" + HOME).resolve("0a"));
  }

  @Test
  void whatWasWrittenToLatelyStays() throws Exception {
    laterMillis = BlockOrphans.AGE.toMillis() / 2;
    Path young = Files.writeString(annex.resolve("temp_local_1"), "young");
    assertStays(orphans(), young);
  }

  @Test
  void whatGotALinkInBetweenStays() throws Exception {
    Path file = Files.writeString(annex.resolve("rdd_1_1"), "block");
    BlockOrphans orphans = orphans();
    orphans.round();
    Path link = Files.createSymbolicLink(home.resolve("rdd_1_1"), file);
    orphans.round();
    assertTrue(Files.exists(file));
    Files.delete(link);
    orphans.round();
    assertTrue(Files.exists(file), "two rounds in a row");
    orphans.round();
    assertFalse(Files.exists(file));
  }

  /** As {@code BlockHomes.keep} has it for an instant, in which its executor may stand still. */
  @Test
  void whatHasAnotherNameStays() throws Exception {
    Path other = Files.createDirectories(slow.resolve(BELOW).resolve("blockmgr-2").resolve("07"));
    Path run = Files.writeString(other.resolve("temp_local_1"), "run");
    Path second = Files.createLink(annex.resolve("shuffle_0_1_0.data.1"), run);
    BlockOrphans orphans = orphans();
    assertStays(orphans, second);
    Files.delete(run);
    orphans.round();
    orphans.round();
    assertFalse(Files.exists(second));
  }

  @Test
  void aLinkInAnotherHomeIsOne() throws Exception {
    Path other = Files.createDirectories(fast.resolve(BELOW).resolve("blockmgr-2").resolve("07"));
    Path file = Files.writeString(annex.resolve("temp_shuffle_1"), "moved");
    Files.createSymbolicLink(other.resolve("shuffle_0_1_0.data"), file);
    assertStays(orphans(), file);
  }

  @Test
  void aPathThatIsWrittenInAnotherWayIsTheSame() throws Exception {
    Path file = Files.writeString(annex.resolve("shuffle_0_1_0.data.1"), "linked");
    Path way = Files.createSymbolicLink(temp.resolve("way"), slow);
    Files.createSymbolicLink(
        home.resolve("shuffle_0_1_0.data"), way.resolve(slow.relativize(file)));
    assertStays(orphans(), file);
  }

  @Test
  void nothingGoesWhereAHomeCannotBeRead() throws Exception {
    Path file = Files.writeString(annex.resolve("shuffle_0_1_0.data.1"), "linked");
    // Anybody could exchange what is in it, so it is not looked at.
    Path open = Files.createDirectories(home.resolveSibling("0b"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    Files.createSymbolicLink(open.resolve("shuffle_0_1_0.data"), file);
    assertStays(orphans(), file);
  }

  /** Its disk was taken out of the configuration. */
  @Test
  void nothingGoesWhileAHomeIsNotHere() throws Exception {
    Path spilled = Files.writeString(annex.resolve("shuffle_0_1_0.data.1"), "linked from there");
    Path away = temp.resolve("away");
    Path there = home.getParent();
    Files.move(there, away);
    assertStays(orphans(), spilled);
    Files.createSymbolicLink(there, away);
    assertStays(orphans(), spilled);
  }

  /** Its disk is not mounted for a while. */
  @Test
  void nothingGoesWhileADirLacksTheApplication() throws Exception {
    Path lost = Files.createDirectories(temp.resolve("lost"));
    Path file = Files.writeString(annex.resolve("shuffle_0_1_0.data.1"), "linked from there");
    BlockOrphans orphans = orphans(ProcessTable.uidOf(temp), fast, slow, lost);
    assertStays(orphans, file);
    Files.createDirectories(lost.resolve(BELOW));
    orphans.round();
    orphans.round();
    assertFalse(Files.exists(file));
  }

  @Test
  void aLinkInTheFoldersPlaceIsNotFollowed() throws Exception {
    Path elsewhere = Files.createDirectories(temp.resolve("elsewhere"));
    Path file = Files.writeString(elsewhere.resolve("precious"), "not ours");
    Files.createSymbolicLink(annex.resolveSibling("0c"), elsewhere);
    assertStays(orphans(), file);
  }

  @Test
  void anotherUsersFilesStay() throws Exception {
    Path file = Files.writeString(annex.resolve("temp_local_1"), "another's");
    assertStays(orphans(ProcessTable.uidOf(temp) + 1, fast, slow), file);
  }

  private static void assertStays(BlockOrphans orphans, Path file) throws Exception {
    orphans.round();
    orphans.round();
    assertTrue(Files.exists(file));
  }

  private BlockOrphans orphans() {
    return orphans(ProcessTable.uidOf(temp), fast, slow);
  }

  private BlockOrphans orphans(int uid, Path... dirs) {
    List<LocalDir> local = new ArrayList<>();
    for (Path dir : dirs) {
      local.add(Layouts.dir(dir, local.isEmpty() ? Medium.NVME : Medium.DISK));
    }
    return new BlockOrphans(
        Layouts.tiers(Reserve.DEFAULT, Layouts.SETTINGS, local.toArray(LocalDir[]::new)).layout(),
        () -> Map.of(APPLICATION, "ann"),
        uid,
        () -> System.currentTimeMillis() + laterMillis,
        () -> {});
  }

  @Test
  void theOldestBlocksGoDownAndAreFoundAtHome() throws Exception {
    writeOutputs();
    assertEquals(3L * OUTPUT_BYTES, moved(ProcessTable.uidOf(temp)));
    for (int i = 0; i < OUTPUTS; i++) {
      assertArrayEquals(content(i), Files.readAllBytes(output(i)));
      assertEquals(i < 3, Files.isSymbolicLink(output(i)), "output " + i);
      assertEquals(i < 3, output(i).toRealPath().startsWith(slow.toRealPath()), "output " + i);
    }
  }

  @Test
  void anApplicationThatDoesNotWantItIsLeftAlone() throws Exception {
    writeOutputs();
    Files.delete(fast.resolve(BELOW).resolve(ColdBlocks.SHARED));
    assertEquals(0, moved(ProcessTable.uidOf(temp)));
  }

  @Test
  void anotherUsersBlocksStay() throws Exception {
    writeOutputs();
    assertEquals(0, moved(ProcessTable.uidOf(temp) + 1));
  }

  @Test
  void withoutAFolderBelowTheyStay() throws Exception {
    writeOutputs();
    assertTrue(FileUtil.fullyDelete(slow.resolve(BELOW).toFile()));
    assertEquals(0, moved(ProcessTable.uidOf(temp)));
    assertFalse(Files.exists(slow.resolve(BELOW)));
  }

  @Test
  void aFolderThatIsALinkIsNotFollowed() throws Exception {
    writeOutputs();
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
    writeOutputs();
    Map<LocalDir, Path> folders = Map.of(tiers().layout().dirs().get(0), fast.resolve(BELOW));
    ColdBlocks.Blocks hostile =
        ColdBlocks.Blocks.ofOther(
            "application_1_0009",
            folders,
            (blocks, from, bytes, below) -> {
              throw new IOException("its folders are exchanged all the time");
            });
    assertEquals(3L * OUTPUT_BYTES, moved(ProcessTable.uidOf(temp), hostile));
  }

  /** Ten outputs of a megabyte on a fast dir of ten. */
  private void writeOutputs() throws IOException {
    Files.createFile(fast.resolve(BELOW).resolve(ColdBlocks.SHARED));
    for (int i = 0; i < OUTPUTS; i++) {
      Files.write(output(i), content(i));
      Files.setLastModifiedTime(output(i), FileTime.fromMillis(1_000_000 + i));
    }
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
            dir -> empty)) {
      Map<String, String> users = Map.of(APPLICATION, "ann");
      List<ColdBlocks.Blocks> all = new ArrayList<>(List.of(others));
      all.addAll(SparkUpkeep.blocks(tiers().layout(), users, ownUid, null));
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
