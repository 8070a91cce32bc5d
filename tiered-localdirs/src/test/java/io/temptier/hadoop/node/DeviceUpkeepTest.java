// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.FullDisk;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.fixtures.Needs.NeedsPlainUser;
import io.temptier.fixtures.Needs.NeedsRoot;
import io.temptier.fixtures.Texts;
import io.temptier.hadoop.NodeManagerBed;
import io.temptier.hadoop.metrics.PlacementTally;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.marker.TierSettings;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.InodeCounts;
import io.temptier.tier.room.DirView;
import io.temptier.tier.room.PublishedState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Upkeep of local dirs: of each root, and of those on a device together. */
class DeviceUpkeepTest {
  @TempDir Path temp;

  private final AtomicLong millis = new AtomicLong(1_000_000);
  private final AtomicLong inodeQuestions = new AtomicLong();

  private LocalDir dir(String name, Medium medium) throws IOException {
    return Layouts.dir(Layouts.root(temp.resolve(name)), medium);
  }

  private static List<LocalDir> read(DeviceUpkeep upkeep) {
    return upkeep.views().stream().map(DirView::dir).toList();
  }

  @Test
  @NeedsPlainUser
  void aDirThatTurnsReadOnlyCountsAsFailedAndIsNamedUntilItIsMended() throws Exception {
    LocalDir fast = dir("fast", Medium.NVME);
    LocalDir slow = dir("slow", Medium.DISK);
    NodeTiers tiers = Layouts.tiers(Reserve.ofBytes(1), TierSettings.DEFAULT, fast, slow);
    try (DeviceUpkeep upkeep =
        new DeviceUpkeep(
            tiers,
            List.of(fast, slow),
            dir -> false,
            InodeCounts::of,
            new PlacementTally(),
            new NodeApplications(
                NodeManagerBed.proxy(Context.class, method -> new ConcurrentHashMap<>())))) {
      upkeep.start();
      Eventually.holds("both are read", () -> read(upkeep).equals(List.of(fast, slow)));
      Files.setPosixFilePermissions(fast.path(), PosixFilePermissions.fromString("r-xr-xr-x"));
      Eventually.holds("the other is read", () -> read(upkeep).equals(List.of(slow)));
      String trouble = upkeep.conditions().get(0).trouble().orElse("");
      assertTrue(trouble.contains("mode r-xr-xr-x") && trouble.contains("755"), trouble);
      assertEquals("", upkeep.conditions().get(1).trouble().orElse(""));
      Files.setPosixFilePermissions(fast.path(), PosixFilePermissions.fromString("rwxr-xr-x"));
      Eventually.holds("it is taken back", () -> read(upkeep).equals(List.of(fast, slow)));
      assertEquals("", upkeep.conditions().get(0).trouble().orElse(""));
    } finally {
      Files.setPosixFilePermissions(fast.path(), PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  @Test
  void oneQuestionForInodesIsForAllDirsButThoseThatHang() throws Exception {
    LocalDir sound = dir("sound", Medium.DISK);
    LocalDir hung = dir("hung", Medium.DISK);
    List<LocalDir> asked = new ArrayList<>();
    NodeWork.Inodes inodes =
        new NodeWork.Inodes(
            List.of(sound, hung),
            dir -> {
              asked.add(dir);
              return dir.equals(hung);
            });
    InodeCounts counts = inodes.of(sound.path());
    assertEquals(InodeCounts.UNBOUNDED, inodes.of(hung.path()));
    assertEquals(counts, inodes.of(sound.path()));
    assertEquals(List.of(sound, hung), asked);
  }

  private NodeTiers tiers(long capBytes) {
    LocalDir dir = Layouts.dir(temp.resolve("root"), Medium.NVME, capBytes);
    return Layouts.tiers(Reserve.DEFAULT, TierSettings.DEFAULT, dir);
  }

  private RootUpkeep upkeep(long capBytes) {
    NodeTiers tiers = tiers(capBytes);
    return new RootUpkeep(
        tiers.layout().dirs().get(0),
        tiers,
        path -> {
          inodeQuestions.incrementAndGet();
          return InodeCounts.of(100, 40);
        },
        millis::get);
  }

  /** That of a root that was set up. */
  private RootUpkeep published() throws IOException {
    root();
    RootUpkeep upkeep = upkeep(LocalDir.NO_CAP);
    upkeep.publish();
    return upkeep;
  }

  private Path root() throws IOException {
    return Files.createDirectories(temp.resolve("root"));
  }

  private int mode(String below) throws IOException {
    return FileStamp.of(root().resolve(below)).permissions();
  }

  private PublishedState state() throws IOException {
    return PublishedState.read(root().resolve(".temptier/state")).orElseThrow();
  }

  @Test
  void putsModesRight() throws IOException {
    Files.createDirectories(root().resolve(".temptier/claims"));
    Files.setAttribute(root().resolve(".temptier"), "unix:mode", 0777);
    Files.setAttribute(root().resolve(".temptier/claims"), "unix:mode", 0700);
    upkeep(LocalDir.NO_CAP).publish();
    assertEquals(0755, mode(".temptier"));
    assertEquals(01777, mode(".temptier/claims"));
  }

  private void deleteRoot() throws IOException {
    assertTrue(FileUtil.fullyDelete(root().toFile()));
  }

  @Test
  void aRootThatWasEmptiedGetsBackTheFoldersThatANodeManagerMakesOnlyAtItsStart()
      throws IOException {
    RootUpkeep upkeep = published();
    assertTrue(Files.notExists(root().resolve("filecache")), "at the start that is YARN's to do");
    deleteRoot();
    root();
    assertTrue(upkeep.publish());
    assertEquals(0755, mode("usercache"));
    assertEquals(0755, mode("filecache"));
    assertEquals(0700, mode("nmPrivate"));
  }

  @Test
  void putsBackAMarkerThatWasDeletedAtOnceAndOneThatWasChangedSoon() throws IOException {
    RootUpkeep upkeep = published();
    Files.delete(root().resolve(".temptier/layout"));
    assertTrue(upkeep.publish());
    Files.writeString(root().resolve(".temptier/layout"), "nonsense");
    millis.addAndGet(20_000);
    assertTrue(upkeep.publish());
    assertTrue(NodeMarker.read(root()).isPresent());
  }

  @Test
  @NeedsRoot
  void saysWhatToDoAboutAFolderThatAnotherUserPlanted() throws IOException {
    Path planted = Files.createDirectory(root().resolve(".temptier"));
    Files.setAttribute(root(), "unix:uid", 54321);
    Files.setAttribute(planted, "unix:uid", 54322);
    RootUpkeep upkeep = upkeep(LocalDir.NO_CAP);
    Texts.thrown(IOException.class, upkeep::publish, "54322", "Remove it");
    Files.delete(planted);
    assertFalse(upkeep.publish());
  }

  /** Root makes the link, and the folder is the NodeManager's user's. */
  @Test
  @NeedsRoot
  void aDirMayBeALinkOfRoot() throws IOException {
    Path folder = Files.createDirectory(temp.resolve("folder"));
    Files.createSymbolicLink(temp.resolve("root"), folder);
    Files.createDirectory(folder.resolve(".temptier"));
    Files.setAttribute(folder, "unix:uid", 54321);
    Files.setAttribute(folder.resolve(".temptier"), "unix:uid", 54321);
    assertFalse(upkeep(LocalDir.NO_CAP).publish());
  }

  @Test
  void followsNoLinkInPlaceOfItsFolder() throws IOException {
    Path elsewhere = Files.createDirectory(temp.resolve("elsewhere"));
    Files.createSymbolicLink(root().resolve(".temptier"), elsewhere);
    assertThrows(IOException.class, upkeep(LocalDir.NO_CAP)::publish);
    assertEquals(0, elsewhere.toFile().list().length);
  }

  @Test
  void asksForInodesNowAndThenAndMeasuresNoUsageThatNobodyNeeds() throws IOException {
    Files.writeString(root().resolve("file"), "12345");
    RootUpkeep upkeep = published();
    upkeep.measure();
    upkeep.measure();
    assertEquals(1, inodeQuestions.get());
    assertEquals(100, state().totalInodes());
    assertEquals(40, state().freeInodes());
    assertTrue(!state().usage().known());
    millis.addAndGet(10_000);
    upkeep.measure();
    assertEquals(2, inodeQuestions.get());
    assertEquals(1_010_000, state().atMillis());
    millis.addAndGet(-3_600_000);
    upkeep.measure();
    assertEquals(3, inodeQuestions.get(), "the clock was set back");
  }

  @Test
  void measuresTheUsageOfACappedRootWithoutItsOwnFolder() throws IOException {
    Files.writeString(root().resolve("file"), "12345");
    RootUpkeep upkeep = upkeep(1_000);
    upkeep.publish();
    upkeep.measure();
    assertEquals(5, state().usage().bytes());
    Files.writeString(root().resolve("file"), "1234567");
    upkeep.measure();
    assertEquals(5, state().usage().bytes(), "walks rest for a second");
    millis.addAndGet(1_000);
    upkeep.measure();
    assertEquals(7, state().usage().bytes());
    assertEquals(1_001_000, state().usage().startedMillis());
  }

  /** Else a log that leaves out what it said before would have it each second. */
  @Test
  @NeedsLoopDisk
  void saysTheSameEachTimeWhileItsDiskHasNoInodes() throws IOException {
    try (LoopDisk disk = LoopDisk.create(temp, "root", 8 << 20)) {
      published();
      FullDisk.ofInodes(disk.path());
      RootUpkeep next = upkeep(LocalDir.NO_CAP);
      String first = assertThrows(IOException.class, next::publish).toString();
      assertEquals(first, assertThrows(IOException.class, next::publish).toString());
      assertTrue(first.contains(".temptier/layout.tmp: "), first);
    }
  }
}
