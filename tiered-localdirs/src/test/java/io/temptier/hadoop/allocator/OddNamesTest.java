// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.testing.FastAndSlow;
import io.temptier.testing.Invariants;
import io.temptier.tier.Layouts;
import io.temptier.tier.Reserve;
import io.temptier.tier.room.DirView;
import io.temptier.tier.settings.NodeTiers;
import io.temptier.tier.settings.TierSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Names that no file can have, or few: what stock says of them, and no dir lost for them. */
@ExtendWith(Invariants.class)
class OddNamesTest {
  private static final String TIERED = "tiered.odd.names";
  private static final String STOCK = "stock.odd.names";

  @TempDir Path temp;
  private final Configuration conf = new Configuration(false);
  private Path fast;
  private Path slow;
  private TieredLocalDirAllocator tiered;

  static List<String> names() {
    String most = "n".repeat(5000);
    return List.of(
        "nul\u0000name",
        "nul\u0000folder/file",
        most,
        most + "/file",
        "n".repeat(255) + "/file",
        "folder/" + "d/".repeat(3000) + "file",
        "",
        "/",
        ".",
        "..",
        "../beside",
        "line\nbreak",
        "\uD83D\uDE00",
        "\uD83D unpaired",
        "a//b",
        "space at end ",
        "c:d",
        "%s%n");
  }

  @BeforeEach
  void makeDirs() throws IOException {
    Path roots = Files.createDirectories(temp.resolve("roots"));
    fast = Files.createDirectories(roots.resolve("fast"));
    slow = Files.createDirectories(roots.resolve("slow"));
    conf.set(TIERED, fast + "," + slow);
    conf.set(STOCK, fast + "," + slow);
    NodeTiers tiers =
        FastAndSlow.tiers(
            Layouts.root(fast), Layouts.root(slow), Reserve.ofBytes(0), TierSettings.DEFAULT);
    tiered = new TieredLocalDirAllocator(TIERED, tiers);
  }

  @FunctionalInterface
  private interface Asked {
    Object of(LocalDirAllocator allocator, String key) throws IOException;
  }

  @ParameterizedTest
  @MethodSource("names")
  void areAnsweredAsStockDoesAndCostNoDir(String name) throws IOException {
    for (long size : new long[] {-1, 0, 1, 1 << 20}) {
      assertAsStock((allocator, key) -> write(allocator, name, size, key, true));
      assertAsStock((allocator, key) -> write(allocator, name, size, key, false));
    }
    assertAsStock((allocator, key) -> allocator.createTmpFileForWrite(name, 1 << 20, conf(key)));
    assertAsStock((allocator, key) -> allocator.getLocalPathToRead(name, conf(key)));
    assertAsStock((allocator, key) -> allocator.ifExists(name, conf(key)));
  }

  private Object write(
      LocalDirAllocator allocator, String name, long size, String key, boolean checkWrite)
      throws IOException {
    return allocator.getLocalPathForWrite(name, size, conf(key), checkWrite);
  }

  private Configuration conf(String key) {
    assertFalse(conf.get(key).isEmpty());
    return conf;
  }

  private void assertAsStock(Asked asked) throws IOException {
    assertEquals(outcome(asked, STOCK), outcome(asked, TIERED));
    for (DirView dir : tiered.dirs.view()) {
      assertFalse(dir.setAside(), dir::toString);
    }
    String next = tiered.getLocalPathForWrite("plain", 1 << 20, conf).toUri().getPath();
    assertTrue(next.startsWith(fast.toString()), next);
  }

  /** What kind of answer came; in which dir the file is to lie differs. */
  private String outcome(Asked asked, String key) {
    try {
      LocalDirAllocator allocator = key.equals(STOCK) ? new LocalDirAllocator(STOCK) : tiered;
      return asked.of(allocator, key).getClass().getName();
    } catch (IOException | RuntimeException e) {
      return e.getClass().getName();
    }
  }
}
