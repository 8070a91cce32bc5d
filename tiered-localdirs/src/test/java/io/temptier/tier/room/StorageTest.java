// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsBtrfs;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.fixtures.Programs;
import io.temptier.tier.Layouts;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.os.MountTable;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.Reason;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What real file systems tell of the room that dirs have, alone or together. */
class StorageTest {
  private static final long MB = 1L << 20;
  private static final long FILE = 60 * MB;

  @TempDir Path temp;

  @Test
  @NeedsBtrfs
  void dirsOnSubvolumesOfOneBtrfsAreNotPromisedTwice() throws Exception {
    try (LoopDisk disk = LoopDisk.createBtrfs(temp, "pool", 512 * MB)) {
      Path one = disk.path().resolve("one");
      Path two = disk.path().resolve("two");
      Programs.run("btrfs", "subvolume", "create", one.toString());
      Programs.run("btrfs", "subvolume", "create", two.toString());
      assertNotEquals(Files.getAttribute(one, "unix:dev"), Files.getAttribute(two, "unix:dev"));
      Path fast = Layouts.root(one.resolve("yarn"));
      Path slow = Layouts.root(two.resolve("yarn"));
      NodeTiers tiers = Layouts.tiers(fast, slow, Reserve.ofBytes(0), Layouts.SETTINGS);
      assertEquals(1, SharedRoom.together(tiers.layout()).size());
      long room = one.toFile().getUsableSpace();
      long bytes = room * 2 / 5;
      List<Reason> reasons = new ArrayList<>();
      try (Placer placer = new Placer(tiers, new PlacementListener() {})) {
        for (int i = 0; i < 4; i++) {
          String name = "spill" + i;
          placer
              .place(placer.request(name, bytes, null), dir -> dir.path().resolve(name))
              .ifPresent(placed -> reasons.add(placed.placement().reason()));
        }
      }
      assertEquals(
          2,
          reasons.stream().filter(reason -> reason != Reason.OVER_RESERVE).count(),
          "" + reasons);
    }
  }

  @Test
  void mountsOfOneSourceAreOneAndOthersAreNot() throws IOException {
    Path mountinfo =
        Files.writeString(
            temp.resolve("mountinfo"),
            """
            1 0 8:1 / / rw - ext4 /dev/sda1 rw
            2 1 0:31 / /zfs/a rw - zfs tank/a rw
            3 1 0:32 / /zfs/b rw - zfs tank/b/c rw
            4 1 0:33 / /zfs/c rw - zfs other rw
            5 1 0:34 / /mem/a rw - tmpfs tmpfs rw
            6 1 0:35 / /nfs rw - nfs4 server:/export rw
            7 1 0:36 / /over rw - overlay overlay rw,lowerdir=/x,upperdir=/zfs/b/upper,workdir=/w
            """);
    MountTable mounts = MountTable.read(mountinfo);
    assertEquals("zfs tank", source(mounts, "/zfs/a/yarn"));
    assertEquals("zfs tank", source(mounts, "/zfs/b"));
    assertEquals("zfs other", source(mounts, "/zfs/c"));
    assertNull(source(mounts, "/mem/a"), "every tmpfs is called so");
    assertEquals("server:/export", source(mounts, "/nfs/yarn"));
    assertEquals("zfs tank", source(mounts, "/over/yarn"));
    assertEquals("/dev/sda1", source(mounts, "/yarn"));
  }

  @Test
  void whatOneDirHasInCommonWithTwoPutsAllThreeTogether() {
    Map<String, Set<Object>> backings = new LinkedHashMap<>();
    backings.put("a", Set.of(1L, "x"));
    backings.put("b", Set.of(2L, "y"));
    backings.put("c", Set.of(3L));
    backings.put("d", Set.of(1L, "y"));
    backings.put("e", Set.of());
    backings.put("f", Set.of());
    assertEquals(
        List.of(List.of("a", "b", "d"), List.of("c"), List.of("e"), List.of("f")),
        SharedRoom.together(backings));
  }

  private static @Nullable String source(MountTable mounts, String path) {
    return SharedRoom.source(mounts, Path.of(path));
  }

  @Test
  @NeedsBtrfs
  void whatBtrfsHasNotFlushedIsFreeToNobodyAndPromisedToNobody() throws Exception {
    try (LoopDisk disk = LoopDisk.createBtrfs(temp, "fast", 512 * MB)) {
      Path subvolume = disk.path().resolve("yarn");
      Programs.run("btrfs", "subvolume", "create", subvolume.toString());
      Path fast = Layouts.root(subvolume);
      Path slow = Layouts.root(temp.resolve("slow"));
      assertWrittenIsCounted(fast);
      // Each process writes one file and ends, so that nothing is claimed for it.
      int onFast = 0;
      for (int i = 0; i < 9; i++) {
        String said = Programs.said(Programs.java(OneFile.class, fast, slow, "spill" + i));
        onFast += said.equals("NVME") ? 1 : 0;
      }
      assertTrue(onFast >= 2 && onFast <= 7, "on the fast dir: " + onFast);
    }
  }

  @Test
  @NeedsLoopDisk
  void whatExt4HasNotFlushedIsNotFreeAnyMore() throws Exception {
    try (LoopDisk disk = LoopDisk.create(temp, 256 * MB)) {
      assertWrittenIsCounted(disk.path());
      assertEquals(0, DirtyBytes.of(disk.path()).get());
    }
  }

  private static void assertWrittenIsCounted(Path dir) throws IOException {
    FileSystemCapacity probe = new FileSystemCapacity();
    long before = probe.probe(dir).usableBytes();
    write(dir.resolve("first"));
    long taken = before - probe.probe(dir).usableBytes();
    assertTrue(taken >= FILE && taken < FILE + 16 * MB, "taken: " + taken);
  }

  /** Places a file, writes it, and says on which medium it is. */
  public static final class OneFile {
    public static void main(String[] args) throws IOException {
      Path fast = Path.of(args[0]);
      Path slow = Path.of(args[1]);
      NodeTiers tiers = Layouts.tiers(fast, slow, Reserve.ofBytes(0), Layouts.SETTINGS);
      Placer placer = new Placer(tiers, new PlacementListener() {});
      Placer.Placed placed = Layouts.place(placer, args[2], FILE);
      write(placed.file());
      System.out.println(placed.placement().dir().medium());
    }
  }

  /** By bytes that cannot be compressed. */
  private static void write(Path file) throws IOException {
    byte[] block = new byte[(int) MB];
    new Random(7).nextBytes(block);
    try (OutputStream out = Files.newOutputStream(file)) {
      for (long written = 0; written < FILE; written += MB) {
        out.write(block);
      }
    }
  }
}
