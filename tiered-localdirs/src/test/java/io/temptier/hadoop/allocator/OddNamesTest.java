// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.room.DirView;
import io.temptier.tier.settings.TierSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Names that no file can have, or few: what stock says of them, and no dir lost for them. */
class OddNamesTest extends AllocatorBed {
  private final LocalDirAllocator stock = new LocalDirAllocator(key + ".stock");

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
  void setUp() throws IOException {
    conf.set(key + ".stock", conf.get(key));
    allocator = new TieredLocalDirAllocator(key, publish(0, TierSettings.DEFAULT));
  }

  @FunctionalInterface
  private interface Asked {
    Object of(LocalDirAllocator asked) throws IOException;
  }

  @ParameterizedTest
  @MethodSource("names")
  void areAnsweredAsStockDoesAndCostNoDir(String name) throws IOException {
    for (long size : new long[] {-1, 0, 1, 1 << 20}) {
      assertAsStock(asked -> asked.getLocalPathForWrite(name, size, conf, true));
      assertAsStock(asked -> asked.getLocalPathForWrite(name, size, conf, false));
    }
    assertAsStock(asked -> asked.createTmpFileForWrite(name, MB, conf));
    assertAsStock(asked -> asked.getLocalPathToRead(name, conf));
    assertAsStock(asked -> asked.ifExists(name, conf));
  }

  private void assertAsStock(Asked question) throws IOException {
    assertEquals(outcome(question, stock), outcome(question, allocator));
    for (DirView dir : allocator.dirs.view()) {
      assertFalse(dir.setAside(), dir::toString);
    }
    Path next = place("plain", MB);
    assertTrue(next.startsWith(fast), next::toString);
  }

  /** What kind of answer came; in which dir the file is to lie differs. */
  private static String outcome(Asked question, LocalDirAllocator asked) {
    try {
      return question.of(asked).getClass().getName();
    } catch (IOException | RuntimeException e) {
      return e.getClass().getName();
    }
  }
}
