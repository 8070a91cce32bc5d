// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.TierLayout;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.PlacementPolicy;
import io.temptier.tier.settings.NodeTiers;
import io.temptier.tier.settings.TierSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fast dir that takes no files must not draw every file to it. */
final class FailingDirTest {
  @TempDir Path temp;

  private Path fast;
  private Path slow;

  FailingDirTest() {
    fast = Path.of("unset");
    slow = fast;
  }

  @BeforeEach
  void makeRoots() throws IOException {
    fast = temp.resolve("fast");
    slow = temp.resolve("slow");
    for (Path root : List.of(fast, slow)) {
      Files.createDirectories(root.resolve(".temptier/claims"));
    }
  }

  @Test
  void aRootThatWasEmptiedIsUsedAgainOnlyWhenItIsSetUpAgain() throws IOException {
    try (Placer placer = placer()) {
      assertEquals(Medium.NVME, place(placer));
      try (Stream<Path> all = Files.walk(fast)) {
        for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
      assertEquals(Medium.DISK, place(placer));
      Files.createDirectories(fast.resolve(".temptier/claims"));
      long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
      while (place(placer) != Medium.NVME) {
        assertTrue(System.nanoTime() < deadline, "the fast dir is still set aside");
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void aRootThatNoNodeManagerKeepsIsUsed() throws IOException {
    Files.delete(fast.resolve(".temptier/claims"));
    Files.delete(fast.resolve(".temptier"));
    try (Placer placer = placer()) {
      assertEquals(Medium.NVME, place(placer));
    }
  }

  private Placer placer() {
    LocalDir first = LocalDir.of(fast, Medium.NVME, LocalDir.NO_CAP, "tag");
    LocalDir second = LocalDir.of(slow, Medium.DISK, LocalDir.NO_CAP, "tag");
    TierLayout layout =
        TierLayout.of(
            List.of(first, second), List.of(Medium.values()), medium -> Reserve.ofBytes(0));
    TierSettings settings =
        TierSettings.DEFAULT.toBuilder()
            .policy(PlacementPolicy.Named.FAST_FIRST)
            .unknownSizeBytes(1)
            .appShare(1)
            .refresh(Duration.ZERO)
            .claimIdle(Duration.ofSeconds(30))
            .build();
    return new Placer(NodeTiers.of(layout, settings), new PlacementListener() {});
  }

  private static Medium place(Placer placer) {
    return placer
        .place(placer.request("file", 1, null), dir -> dir.path().resolve("file"))
        .orElseThrow()
        .placement()
        .dir()
        .medium();
  }
}
