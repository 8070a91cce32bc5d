// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UnseenFilesTest extends PlacerBed {
  private LocalDir fast;
  private Path home;
  private UnseenFiles unseen;

  @BeforeEach
  void aHomeOnTheFastDir() throws IOException {
    fast = dir("fast", Medium.NVME, 10 * GB, 10 * GB);
    LocalDir slow = dir("slow", Medium.DISK, 10 * GB, 10 * GB);
    Placer placer = placer(Layouts.tiers(Reserve.ofBytes(0), Layouts.SETTINGS, fast, slow));
    home = Files.createDirectories(fast.path().resolve("blockmgr-1"));
    unseen = new UnseenFiles(Map.of(home, fast), placer);
  }

  @Test
  void aLookThatIsLateClaimsNothing() throws IOException {
    Files.write(home.resolve("native"), new byte[(int) MB]);
    unseen.look();
    assertEquals(MB, promised(fast).bytes());
    unseen.close();
    assertEquals(0, promised(fast).bytes());
    // As one that hung with its disk.
    unseen.look();
    assertEquals(0, promised(fast).bytes());
  }

  /** {@code spark.diskStore.subDirectories} may be thousands. */
  @Test
  void whatWasPlacedIsKnownInEachOfManyFolders() throws IOException {
    for (String folder : List.of("0a", "7f", "100", "1387")) {
      Path file = Files.createDirectories(home.resolve(folder)).resolve("rdd_1_" + folder);
      Files.write(file, new byte[(int) MB]);
      unseen.placed(fast, file.getFileName().toString());
    }
    unseen.look();
    assertEquals(0, promised(fast).bytes());
    unseen.close();
  }
}
