// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Needs.NeedsRoot;
import io.temptier.fixtures.Trees;
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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.management.MBeanAttributeInfo;
import javax.management.ObjectName;
import org.apache.hadoop.fs.LocalDirSeam;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.junit.jupiter.api.Test;

/**
 * The listener with a real handler of local dirs, as a NodeManager drives the two; also of many
 * users, who may plant and claim what they like.
 */
class NodeManagerTieringTest extends NodeManagerContract {
  private static final ApplicationId APP = ApplicationId.newInstance(1, 1);
  private static final int UID_OF_NOBODY = 65534;

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
    assertEquals(List.of(".temptier"), List.of(disk.toFile().list()));
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

  @Test
  @NeedsRoot
  void worksOnWithAFolderThatAnotherUserPlanted() throws Exception {
    Files.createDirectories(nvme.resolve(".temptier"));
    Files.setAttribute(nvme.resolve(".temptier"), "unix:uid", 54322);
    node.start();
    assertEquals("ACTIVE", node.info("Mode"));
    assertTrue(NodeMarker.read(nvme).isEmpty());
    assertTrue(NodeMarker.read(disk).isPresent());
    assertTrue(node.handler.getLocalPathForWrite("nmPrivate/x").toString().endsWith("nmPrivate/x"));
    node.delete(nvme.resolve(".temptier"));
    Eventually.holds("the folder is ours again", () -> NodeMarker.read(nvme).isPresent());
  }

  /** Whose containers do not renew their claims, and cannot be seen. */
  @Test
  @NeedsRoot
  void givesItsWordForContainersThatRun() throws Exception {
    List<String> names = new ArrayList<>();
    for (boolean ended : new boolean[] {false, true}) {
      ContainerId id =
          ContainerId.newContainerId(ApplicationAttemptId.newInstance(APP, 1), ended ? 2 : 1);
      node.containers.put(id, NodeManagerBed.proxy(Container.class, method -> ended));
      names.add(id.toString());
    }
    node.applications.put(APP, NodeManagerBed.application("ann"));
    node.start();
    Files.createDirectories(nvme.resolve("usercache/ann"));
    Files.setAttribute(nvme.resolve("usercache/ann"), "unix:uid", UID_OF_NOBODY);
    Path claims = NodeMarker.claims(nvme);
    Eventually.holds(
        "the word is given",
        () -> {
          // One that expires before the NodeManager looks is gone for good.
          overdue(claims, names.get(0));
          return leases(claims).contains(names.get(0));
        });
    overdue(claims, names.get(1));
    Eventually.holds("the second is over", () -> names(claims, "4194305-").size() == 1);
    assertTrue(names(claims, "4194305-").get(0).contains(names.get(0)));
    assertFalse(leases(claims).contains(names.get(1)));
  }

  /** Has a container's claim be one that was to be renewed by now, and has not expired. */
  private void overdue(Path claims, String container) throws IOException {
    Path claim = Files.write(nvme.resolve("claim"), new byte[500]);
    Files.setAttribute(claim, "unix:uid", UID_OF_NOBODY);
    Files.setLastModifiedTime(claim, FileTime.fromMillis(System.currentTimeMillis() - 2_500));
    Files.move(claim, claims.resolve("4194305-1-0-" + container + "-1"), ATOMIC_MOVE);
  }

  /** The NodeManager's word for containers. */
  private static String leases(Path folder) {
    return String.valueOf(List.of(folder.toFile().list((dir, name) -> name.contains("-lease"))));
  }

  private static List<String> names(Path folder, String prefix) {
    String[] names = folder.toFile().list((dir, name) -> name.startsWith(prefix));
    return names == null ? List.of() : List.of(names);
  }

  /** Anybody reads them who reaches the NodeManager's port. */
  @Test
  @NeedsRoot
  void metricsTellWhoClaimsTooMuchAndNoNameThatAUserGave() throws Exception {
    ApplicationId other = ApplicationId.newInstance(1, 2);
    node.applications.put(APP, NodeManagerBed.application("ann"));
    node.applications.put(other, NodeManagerBed.application("bob"));
    node.start();
    for (String user : List.of("ann", "bob")) {
      ApplicationId application = user.equals("ann") ? APP : other;
      Path cache = Files.createDirectories(nvme.resolve("usercache").resolve(user));
      Path appDir = Files.createDirectories(cache.resolve("appcache").resolve("" + application));
      Path secret = Files.createFile(appDir.resolve("secret-of-" + user));
      try (PlacementJournal journal =
          PlacementJournal.ofApplication(List.of(appDir), dir -> true)) {
        journal.placed(
            PlacementRequest.of(
                secret.getFileName().toString(), FileKind.SPILL, 1, true, "" + application, 0),
            Placement.of(Layouts.dir(nvme, Medium.NVME), Reason.FASTEST, List.of()));
      }
      Trees.give(cache, user.equals("ann") ? 30_001 : 30_002);
    }
    Path surplus = Files.createFile(NodeMarker.claims(nvme).resolve("secret-of-bob"));
    Files.setAttribute(surplus, "unix:uid", 30_002);
    Eventually.holds(
        "both journals are read", () -> node.info("Tiers").contains("\"FilesPlaced\":2,"));
    Eventually.holds("the surplus is counted", () -> everythingSaid().contains("30002"));
    assertFalse(everythingSaid().contains("30001"), everythingSaid());
    assertFalse(everythingSaid().contains("secret"), everythingSaid());
  }

  /** Every attribute of all our beans. */
  private String everythingSaid() throws Exception {
    StringBuilder said = new StringBuilder();
    for (ObjectName bean : node.beans.queryNames(new ObjectName("Hadoop:name=TempTier*,*"), null)) {
      for (MBeanAttributeInfo attribute : node.beans.getMBeanInfo(bean).getAttributes()) {
        said.append(attribute.getName()).append('=');
        said.append(node.beans.getAttribute(bean, attribute.getName())).append('\n');
      }
    }
    assertTrue(said.toString().contains("FilesPlaced"), said.toString());
    // A temporary folder's name is a random number, which may have a uid in it.
    return said.toString().replace(temp.toString(), "");
  }
}
