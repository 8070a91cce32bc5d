// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Needs.NeedsPlainUser;
import io.temptier.hadoop.NodeManagerBed;
import io.temptier.hadoop.metrics.PlacementTally;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.os.InodeCounts;
import io.temptier.tier.room.DirView;
import io.temptier.tier.settings.NodeTiers;
import io.temptier.tier.settings.TierSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceUpkeepTest {
  @TempDir Path temp;

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
}
