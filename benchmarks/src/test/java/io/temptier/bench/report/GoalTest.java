// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class GoalTest {
  @Test
  void countsHaveNoDigitsAfterThePointAndRatiosDo() {
    assertEquals("0 tasks", Goal.text(0, "tasks"));
    assertEquals("130 tasks", Goal.text(130, "tasks"));
    assertEquals("1.00 x", Goal.text(1, "x"));
    assertEquals("0.480 x", Goal.text(0.48, "x"));
    assertEquals("2.50 ms", Goal.text(2.5, "ms"));
  }

  @Test
  void whatWasNotMeasuredIsNeitherMetNorMissed() {
    String markup =
        Goal.table(
                List.of(
                    Goal.of("a", "first", "x", null, false),
                    Goal.of("b", "second", "x", 2.0, false),
                    Goal.of("c", "third", "x", 2.0, true)))
            .markup();
    assertTrue(markup.contains("not measured"), markup);
    assertTrue(markup.contains("✗ missed<") && markup.contains("✓ met<"), markup);
    assertFalse(markup.contains("null"), markup);
  }
}
