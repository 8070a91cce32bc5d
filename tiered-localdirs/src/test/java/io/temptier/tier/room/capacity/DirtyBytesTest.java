// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room.capacity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsBtrfs;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.fixtures.Programs;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.settings.NodeTiers;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes that were written and not flushed, on file systems that count them late and at once. */
class DirtyBytesTest {
  private static final long MB = 1 << 20;
  private static final long FILE = 60 * MB;

  @TempDir Path temp;

  @Test
  @NeedsBtrfs
  void onABtrfsAreFreeToNobodyAndPromisedToNobody() throws Exception {
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
  void onExt4AreNotFreeAnyMore() throws Exception {
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
      LocalDir fast = Layouts.dir(Path.of(args[0]), Medium.NVME);
      LocalDir slow = Layouts.dir(Path.of(args[1]), Medium.DISK);
      NodeTiers tiers = Layouts.tiers(Reserve.ofBytes(0), Layouts.SETTINGS, fast, slow);
      Placer placer = new Placer(tiers, new PlacementListener() {});
      Placer.Placed placed =
          placer
              .place(placer.request(args[2], FILE, null), dir -> dir.path().resolve(args[2]))
              .orElseThrow();
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
