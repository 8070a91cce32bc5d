// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.settings.TierSettings;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that runs many tasks sees a list of dirs with each of them. */
class ManyDirListsTest {
  private static final String KEY = "test.local.dir";
  private static final long CLAIMED = 1 << 20;
  private static final int MORE_THAN_ARE_REMEMBERED = 200;

  @TempDir Path root;

  @Test
  void anAllocatorThatWasIdleStillGivesItsClaimsBack() throws Exception {
    LocalDir dir = Layouts.dir(Layouts.root(root), Medium.NVME);
    NodeMarker.write(root, Layouts.tiers(Reserve.ofBytes(0), TierSettings.DEFAULT, dir));
    Path claims = Layouts.claimsOf(root);

    TieredLocalDirAllocator first = new TieredLocalDirAllocator(KEY);
    writeOne(first, 0, "before");
    for (int task = 1; task <= MORE_THAN_ARE_REMEMBERED; task++) {
      writeOne(new TieredLocalDirAllocator(KEY), task, "file");
    }
    writeOne(first, 0, "after");

    Eventually.holds(
        "they are given back",
        () -> ledgers(claims).stream().allMatch(ledger -> ledger.length() == 0));
    assertTrue(ledgers(claims).size() <= 1, "all share one: " + ledgers(claims));
  }

  private static List<File> ledgers(Path claims) {
    File[] ledgers = claims.toFile().listFiles();
    return ledgers == null ? List.of() : List.of(ledgers);
  }

  private void writeOne(TieredLocalDirAllocator allocator, int task, String name) throws Exception {
    Configuration conf = new Configuration(false);
    conf.set(KEY, root.resolve("task-" + task).toString());
    Path file = Path.of(allocator.getLocalPathForWrite(name, CLAIMED, conf).toUri().getPath());
    Files.write(file, new byte[] {1});
    allocator.settled(file);
  }
}
