// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.testing.LeakCheck;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.settings.TierSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tez's sorter gives no size for what it merges its spills to; its spills do. */
@ExtendWith(LeakCheck.class)
class TezSpillsTest extends PlacerBed {
  private static final String PART = "output/attempt_1_0001_1_00_000000_0_10003";

  private Placer placer;

  @BeforeEach
  void makePlacer() throws IOException {
    LocalDir dir = dir("disk", Medium.DISK, 100 * GB, 50 * GB);
    placer = placer(Layouts.tiers(Reserve.ofBytes(GB), Layouts.SETTINGS, dir));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "dag_1/"})
  void anOutputIsAsLargeAsItsSpills(String folder) throws IOException {
    spill(folder + PART + "_0/file.out", 80 * MB);
    spill(folder + PART + "_1/file.out", 90 * MB);
    // Of another output of the same task, and of the same output's number in another task.
    spill(folder + "output/attempt_1_0001_1_00_000000_0_10004_0/file.out", 7 * MB);
    spill(folder + "output/attempt_1_0001_1_00_000001_0_10003_0/file.out", 7 * MB);
    PlacementRequest output = placer.request(folder + PART + "/file.out", 0, null);
    assertEquals(170 * MB, output.bytes());
    assertTrue(output.sizeKnown());
  }

  @Test
  void withoutSpillsItIsUnknown() throws IOException {
    assertUnknown(placer.request(PART + "/file.out", 0, null));
    // Spills of MapReduce, which gives the size of what it merges.
    spill("output/attempt_1_0001_m_000000_0_spill_0.out", 80 * MB);
    assertUnknown(placer.request("output/attempt_1_0001_m_000000_0/file.out", 0, null));
    // A spill that was deleted is not merged.
    Files.delete(spill(PART + "_0/file.out", 80 * MB));
    assertUnknown(placer.request(PART + "/file.out", 0, null));
  }

  @Test
  void theLastOutputsAreRemembered() throws IOException {
    String part = "output/attempt_1_0001_1_00_%06d_0_10003%s/file.out";
    for (int task = 0; task < 200; task++) {
      spill(String.format(part, task, "_0"), MB);
    }
    assertUnknown(placer.request(String.format(part, 0, ""), 0, null));
    assertEquals(MB, placer.request(String.format(part, 199, ""), 0, null).bytes());
  }

  private static void assertUnknown(PlacementRequest output) {
    assertEquals(TierSettings.DEFAULT.unknownSizeBytes(), output.bytes());
    assertFalse(output.sizeKnown());
  }

  /** Places a spill and writes it. */
  private Path spill(String path, long bytes) throws IOException {
    Path file = placed(placer, path, bytes).file();
    Files.createDirectories(file.getParent());
    Layouts.sparse(file, bytes);
    return file;
  }
}
