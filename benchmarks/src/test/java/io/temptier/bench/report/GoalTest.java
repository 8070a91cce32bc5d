// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @ParameterizedTest
  @CsvSource({"1.01 0.20 0.10, true", "1.00 2.00 2.00, false", "unknown, false"})
  void figuresAreDoubtedOnABusyMachine(String load, boolean doubted) {
    Map<String, String> facts = Map.of("cores", "2", MachineFacts.LOAD_BEFORE, load);
    assertEquals(doubted ? List.of("machine was busy") : List.of(), MachineFacts.doubts(facts));
  }
}
