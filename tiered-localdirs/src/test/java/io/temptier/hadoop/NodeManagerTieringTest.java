// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.tier.BuildVersion;
import io.temptier.tier.marker.NodeMarker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.fs.LocalDirSeam;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.junit.jupiter.api.Test;

/** The listener with a real handler of local dirs, as a NodeManager drives the two. */
class NodeManagerTieringTest extends NodeManagerContract {

  @Test
  void placesTheNodeManagersFilesAndShowsIt() throws Exception {
    node.start();
    assertTrue(NodeManagerBed.allocatorContext() instanceof LocalDirSeam);
    org.apache.hadoop.fs.Path placed = node.handler.getLocalPathForWrite("nmPrivate/token");
    assertEquals(nvme.resolve("nmPrivate/token").toString(), placed.toUri().getPath());
    assertEquals("ACTIVE", node.info("Mode"));
    assertEquals("NVME over DISK", node.info("ModeReason"));
    assertEquals(BuildVersion.get(), node.info("Version"));
    assertTrue(node.info("Fingerprint").matches("[0-9a-f]{8}"), node.info("Fingerprint"));
    node.says("Layout", "\"path\":\"" + nvme + "\"");
    node.says("Settings", "\"unknownSizeBytes\":67108864");
    node.says("Decisions", "\"kind\":\"NM_PRIVATE\"");
    assertFalse(node.info("Decisions").contains("token"), "names of files are nobody's business");
    node.says("Tiers", "\"FilesPlaced\":1,");
    node.says("Node", "\"Active\":1,");
    Eventually.holds(
        "Hadoop's cache of it is old",
        () -> node.attribute("TempTier-NVME", "FilesPlaced").equals(1L));
    assertEquals(0L, node.attribute("TempTier-DISK", "FilesPlaced"));
    assertEquals(1L, node.attribute("TempTier", "Active"));
    assertEquals("ACTIVE", node.attribute("TempTier", "tag.Mode"));
    Eventually.holds(
        "capacity is read",
        () -> node.info("Dirs").contains("\"readable\":true,\"capacityBytes\""));
    Eventually.holds(
        "its file is written", () -> Files.exists(nvme.resolve(".temptier/placements")));
  }

  @Test
  void leavesModesAndOwnersOfLocalDirsAsStockDoes() throws Exception {
    node.start();
    Integer mode = (Integer) Files.getAttribute(nvme, "unix:mode");
    assertEquals(0755, mode == null ? -1 : mode & 07777);
    try (var files = Files.list(disk)) {
      assertEquals(List.of(disk.resolve(".temptier")), files.toList());
    }
  }

  @Test
  void setsUpARootThatWasEmptiedOrVanishedAndCameBack() throws Exception {
    node.start();
    node.delete(disk.resolve(".temptier"));
    Eventually.holds("the emptied root is set up", () -> NodeMarker.read(disk).isPresent());
    node.delete(disk);
    // Placement makes a missing dir again, as stock does, should it come by.
    Eventually.holds(
        "the missing root is seen",
        () -> node.info("Dirs").contains("\"readable\":false") || Files.exists(disk));
    Files.createDirectories(disk);
    Eventually.holds("the root that is back is set up", () -> NodeMarker.read(disk).isPresent());
    Eventually.holds("it is read", () -> !node.info("Dirs").contains("\"readable\":false"));
    Eventually.holds("both count", () -> node.info("Node").contains("\"RootsRestored\":2,"));
  }

  @Test
  void transitionsOfContainersAreHeardAtAnyTime() {
    assertDoesNotThrow(() -> transition(ContainerState.DONE));
    node.start();
    assertDoesNotThrow(() -> transition(ContainerState.DONE));
    assertDoesNotThrow(() -> transition(ContainerState.RUNNING));
    node.handler.stop();
    assertDoesNotThrow(() -> transition(ContainerState.DONE));
  }

  @SuppressWarnings("NullAway") // Neither the container nor the event is looked at.
  private void transition(ContainerState after) {
    node.listener.preTransition(null, ContainerState.RUNNING, null);
    node.listener.postTransition(null, ContainerState.RUNNING, after, null);
  }
}
