// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class DemoPlanTest {
  private static final long BYTES = 500_000_000;

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
    assertNull(plan("Unlimited").fastCapBytes());
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

  private static DemoPlan plan(@org.jspecify.annotations.Nullable String cap) {
    return DemoPlan.of(BYTES / 100, 2, cap);
  }
}
