// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.LocalDir;
import io.temptier.tier.marker.NodeMarker;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OffSwitchTest {
  private static final byte[] FILE = new byte[200 << 10];

  @TempDir Path temp;

  @Test
  void anExecutorThatRunsPlacesAsStockOnceItsNodeIsOff() throws Exception {
    try (Tiers tiers = Tiers.staying(temp, LocalDir.NO_CAP);
        OffSwitch off = new OffSwitch(List.of(tiers.fast, tiers.slow), tiers.places::stop)) {
      NodeMarker.write(tiers.fast, tiers.tiers);
      NodeMarker.write(tiers.slow, tiers.tiers);
      off.look();
      assertTrue(write(tiers, "on").toRealPath().startsWith(tiers.fast.toRealPath()));
      for (Path root : List.of(tiers.fast, tiers.slow)) {
        // A NodeManager that is down.
        NodeMarker.remove(root);
      }
      off.look();
      assertTrue(write(tiers, "down").toRealPath().startsWith(tiers.fast.toRealPath()));
      File before = tiers.manager.createTempShuffleBlock()._2;
      Files.write(before.toPath(), FILE);

      NodeMarker.remove(tiers.slow, "temptier.enabled=false (yarn-site.xml)");
      off.look();
      Path after = write(tiers, "off");
      assertTrue(after.toRealPath().startsWith(tiers.slow.toRealPath()), after::toString);
      assertTrue(Files.isRegularFile(after, LinkOption.NOFOLLOW_LINKS));
      long slow = 0;
      for (int i = 0; i < 64; i++) {
        slow += tiers.manager.createTempLocalBlock()._2.toPath().startsWith(tiers.slow) ? 1 : 0;
      }
      assertTrue(slow > 0 && slow < 64, "names are drawn as Spark does: " + slow);
      // What was written before is found, and deleted whole.
      assertEquals(FILE.length, Files.size(before.toPath()));
      File output = tiers.manager.getFile(Tiers.nameIn(tiers.manager, tiers.slow, "on"));
      assertTrue(output.delete());
      assertTrue(Tiers.files(tiers.fast).stream().noneMatch(f -> f.toString().contains("/on")));
    }
  }

  /** A block whose home is the slow dir. */
  private static Path write(Tiers tiers, String prefix) throws Exception {
    String name = Tiers.nameIn(tiers.manager, tiers.slow, prefix);
    File placed = tiers.places.place(tiers.manager.getFile(name), FILE.length);
    Files.write(placed.toPath(), FILE);
    tiers.places.settle(TieredFile.bytesOf(placed.toPath()));
    return placed.toPath();
  }
}
