/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
        GoalTable.markup(
            List.of(
                Goal.atMost("a", "first", null, 1),
                Goal.atMost("b", "second", 2.0, 1),
                Goal.atLeast("c", "third", 2.0, 1)));
    assertTrue(markup.contains("not measured"), markup);
    assertTrue(markup.contains(">missed<") && markup.contains(">met<"), markup);
    assertFalse(markup.contains("null"), markup);
  }
}
