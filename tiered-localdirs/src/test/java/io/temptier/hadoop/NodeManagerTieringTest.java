// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.hadoop.node.NodeService;
import io.temptier.tier.BuildVersion;
import io.temptier.tier.FileKind;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.journal.PlacementJournal;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.policy.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.LocalDirSeam;
import org.apache.hadoop.yarn.api.records.ApplicationId;
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
    node.says("Dirs", "\"path\":\"" + nvme + "\"");
    node.says("Settings", "\"unknownSizeBytes\":67108864");
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

  private static final ApplicationId APP = ApplicationId.newInstance(1, 1);

  /** As the shuffle handler asks. */
  private NodeService service() {
    return NodeService.enter(NodeService.Door.SHUFFLE, node.conf);
  }

  @Test
  void tellsWhichApplicationsRunWhileItIsOn() {
    NodeService service = service();
    assertEquals(Optional.empty(), service.running());
    node.applications.put(APP, NodeManagerBed.application("ann"));
    node.start();
    assertEquals(Optional.of(Map.of(APP.toString(), "ann")), service.running());
    node.handler.stop();
    assertEquals(Optional.empty(), service.running());
    service.leave(NodeService.Door.SHUFFLE);
  }

  @Test
  void countsWhatTheShuffleHandlerMovedDown() throws Exception {
    node.start();
    NodeService service = service();
    PlacementRequest output =
        PlacementRequest.of("file.out", FileKind.MAP_OUTPUT, 30, true, APP.toString(), 0);
    LocalDir dir = LocalDir.of(Path.of("/hdd0/yarn"), Medium.DISK, LocalDir.NO_CAP, "");
    Placement below = Placement.of(dir, Reason.FASTEST, List.of());
    service.demoted(output, below);
    assertTrue(history().contains("\"filesDemoted\":1,\"bytesDemoted\":30"), history());
    node.handler.stop();
    service.demoted(output, below);
    service.leave(NodeService.Door.SHUFFLE);
  }

  @Test
  void countsWhatTasksPlaced() throws Exception {
    node.applications.put(APP, NodeManagerBed.application("ann"));
    node.start();
    Path appDir =
        Files.createDirectories(nvme.resolve("usercache/ann/appcache").resolve(APP.toString()));
    try (PlacementJournal journal = PlacementJournal.ofApplication(List.of(appDir), dir -> true)) {
      PlacementRequest request =
          PlacementRequest.of("output/x", FileKind.SPILL, 10, true, APP.toString(), 0);
      Placement placement =
          Placement.of(
              Layouts.dir(disk, Medium.DISK),
              Reason.FULL,
              List.of(Placement.Refusal.of(Medium.NVME, Reason.FULL, 0)));
      journal.placed(request, placement);
      journal.settled(request, placement, 7);
    }
    Eventually.holds(
        "the journal is read", () -> node.info("Node").contains("\"BytesSpilledDown\":7,"));
    node.says("Node", "\"FilesSpilledDown\":1,");
    Eventually.holds("the history has it", () -> history().contains("\"bytesSpilled\":7"));
    String line = "{\"medium\":\"NVME\",\"reason\":\"FULL\",\"files\":1,\"bytes\":7}";
    assertTrue(history().contains(line), history());
    // Without recovery no application outlives the NodeManager.
    node.handler.stop();
    Path file = disk.resolve(".temptier/history");
    assertTrue(
        Files.readString(file).startsWith("{\"v\":1,\"app\":\"" + APP + "\",\"user\":\"ann\""));
    assertFalse(
        Files.readString(file).contains("output/x"), "names of files are nobody's business");
  }

  private String history() throws Exception {
    return String.valueOf(node.attribute("TempTierHistory", "Applications"));
  }
}
