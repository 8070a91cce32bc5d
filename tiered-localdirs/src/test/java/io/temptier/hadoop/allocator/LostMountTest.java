// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.fixtures.Trees;
import io.temptier.hadoop.node.RootUpkeep;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.MountPins;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.marker.TierSettings;
import io.temptier.tier.os.InodeCounts;
import io.temptier.tier.os.MountPin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A disk whose mount is lost: what is left is a folder on the disk above, which must stay empty.
 */
@Timeout(600)
class LostMountTest {
  private static final String KEY = "lost.mount.test.dirs";
  private static final String APP_DIR = "usercache/ann/appcache/application_1_0001";

  @TempDir Path temp;
  private Path slow;

  @BeforeEach
  void slowDir() throws IOException {
    slow = Files.createDirectories(temp.resolve("slow"));
  }

  @AfterEach
  void close() {
    TieredLocalDirs.closeAll();
  }

  private NodeTiers tiers(Path fast) {
    return MountPins.pin(Layouts.tiers(fast, slow, Reserve.ofBytes(0), TierSettings.DEFAULT));
  }

  private static RootUpkeep upkeep(LocalDir dir, NodeTiers tiers) {
    return new RootUpkeep(dir, tiers, root -> InodeCounts.UNBOUNDED, System::currentTimeMillis);
  }

  private static boolean lost(RootUpkeep root) throws IOException {
    assertFalse(root.publish(), "nothing is restored");
    return root.whyLost().isPresent();
  }

  private static List<Path> below(Path folder) throws IOException {
    // In a task stock makes the empty folders of its dirs, as the NodeManager did before.
    return Trees.below(folder).stream().filter(Files::isRegularFile).toList();
  }

  @Test
  @NeedsLoopDisk
  void filesGoElsewhereUntilTheMountIsBack() throws Exception {
    try (LoopDisk disk = LoopDisk.create(temp, 64 << 20)) {
      // As of the NodeManager, whose dirs are below the mount point or the mount point itself.
      filesGoElsewhereUntilTheMountIsBack(disk, disk.path());
      filesGoElsewhereUntilTheMountIsBack(
          disk, Files.createDirectories(disk.path().resolve("yarn/local")));
    }
  }

  private void filesGoElsewhereUntilTheMountIsBack(LoopDisk disk, Path fast) throws Exception {
    NodeTiers tiers = tiers(fast);
    List<RootUpkeep> roots = tiers.layout().dirs().stream().map(dir -> upkeep(dir, tiers)).toList();
    for (RootUpkeep root : roots) {
      assertFalse(lost(root));
    }
    Configuration conf = new Configuration();
    conf.set(KEY, fast + "," + slow);
    TieredLocalDirAllocator node = new TieredLocalDirAllocator(KEY, tiers);
    String taskDirs = fast.resolve(APP_DIR) + "," + slow.resolve(APP_DIR);
    Files.createDirectories(fast.resolve(APP_DIR));
    Files.createDirectories(slow.resolve(APP_DIR));
    try (TaskProcess task = new TaskProcess(taskDirs)) {
      assertTrue(place(node, conf).startsWith(fast));
      assertTrue(task.place().startsWith(fast));

      disk.unmount();
      for (int i = 0; i < 20; i++) {
        assertTrue(place(node, conf).startsWith(slow));
        assertTrue(task.place().startsWith(slow));
        assertTrue(lost(roots.get(0)));
        roots.get(0).measure();
      }
      assertTrue(roots.get(0).whyLost().orElseThrow().contains("Mount the disk again"));
      assertFalse(lost(roots.get(1)));
      try (TaskProcess later = new TaskProcess(taskDirs)) {
        assertTrue(later.place().startsWith(slow), "of a task that began meanwhile");
      }
      // A NodeManager that starts without the disk.
      NodeTiers again = tiers(fast);
      RootUpkeep restarted = upkeep(again.layout().dirs().get(0), again);
      assertTrue(lost(restarted));
      upkeep(again.layout().dirs().get(1), again).publish();
      assertEquals(List.of(), below(disk.path()), "below the bare mount point");
      assertFalse(Files.exists(fast.resolve(NodeMarker.DIR)));

      disk.mount();
      assertFalse(lost(roots.get(0)));
      assertFalse(lost(restarted));
      Eventually.holds("the mount is used", () -> place(node, conf).startsWith(fast));
      Eventually.holds("by the task, too", () -> task.place().startsWith(fast));
    }
    TieredLocalDirs.closeAll();
  }

  @Test
  @NeedsLoopDisk
  void aMarkerBelowTheMountPointIsOlderThanThoseOfTheOtherDirs() throws Exception {
    Path folder = Files.createDirectories(temp.resolve("disk"));
    NodeTiers bare = tiers(folder);
    NodeMarker.write(folder, bare);
    Thread.sleep(20);
    try (LoopDisk disk = LoopDisk.create(temp, 64 << 20)) {
      NodeTiers mounted = tiers(folder);
      assertEquals(folder.toRealPath(), pin(mounted).mountPoint(), "a deeper mount is accepted");
      NodeMarker.write(slow, mounted);
      NodeMarker.write(folder, mounted);
      disk.unmount();
      assertEquals(
          MountPin.of(folder.toRealPath(), MountPin.UNKNOWN), pin(tiers(folder)), "remembered");
      // What the remedy says for a dir that is to stay where it is.
      Files.delete(slow.resolve(NodeMarker.DIR).resolve(NodeMarker.LAYOUT));
      assertEquals(pin(bare), pin(tiers(folder)));
    }
  }

  private static MountPin pin(NodeTiers tiers) {
    return Objects.requireNonNull(tiers.layout().dirs().get(0).pin());
  }

  private static Path place(TieredLocalDirAllocator allocator, Configuration conf)
      throws IOException {
    return Path.of(allocator.getLocalPathForWrite("x/f", 10, conf).toUri().getPath());
  }
}
