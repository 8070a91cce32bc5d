// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DemoPlanTest {
  private static final long BYTES = 500_000_000;

  @TempDir private Path dir;

  @Test
  void theDefaultCapHoldsHalfOfTheTemporaryData() {
    DemoPlan plan = plan(null);
    assertEquals(plan.tempBytes() / 2, plan.fastCapBytes());
    assertEquals("[NVME:" + plan.tempBytes() / 4 + "]", plan.fastTag(), "two nodes share it");
  }

  @Test
  void capsMayBeZeroASizeOrUnlimited() {
    assertEquals("[NVME:0]", plan("0").fastTag());
    assertEquals("[NVME:134217728]", plan("256m").fastTag(), "two nodes share it");
    assertEquals("[NVME]", plan("unlimited").fastTag());
    assertFalse(plan("Unlimited").capped());
    assertThrows(IllegalArgumentException.class, () -> plan("much"));
  }

  @Test
  void tooSmallADiskIsNamedWithWhatIsNeeded() {
    DemoPlan plan = plan(null);
    assertTrue(plan.tooLittle(plan.needBytes(), Path.of("/w")).isEmpty());
    String text = plan.tooLittle(1 << 20, Path.of("/w")).orElseThrow();
    assertTrue(text.contains("/w has 1 MiB left"), text);
    assertTrue(text.contains("--rows"), text);
  }

  @Test
  void theInputIsEveryVisibleFileBelow() throws IOException {
    Files.createDirectories(dir.resolve("sub"));
    Files.writeString(dir.resolve("sub/b"), "b");
    Files.writeString(dir.resolve("a"), "a");
    Files.writeString(dir.resolve(".hidden"), "h");
    assertEquals(List.of(dir.resolve("a"), dir.resolve("sub/b")), DemoPlan.filesBelow(dir));
    assertEquals(List.of(dir.resolve("a")), DemoPlan.filesBelow(dir.resolve("a")));
  }

  private static DemoPlan plan(@org.jspecify.annotations.Nullable String cap) {
    return DemoPlan.of(BYTES / 100, List.of(), BYTES, 2, cap);
  }
}
