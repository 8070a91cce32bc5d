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
package io.temptier.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link Table} and {@link Wrap}. */
class TextTest {
  @Test
  void numbersStandFlushRight() {
    Table table = new Table("TIER", ">FILES", "WHY");
    table.row("NVME", "1200", "had room");
    table.row("DISK", "7", "");
    assertEquals(
        List.of("  TIER  FILES  WHY", "  NVME   1200  had room", "  DISK      7"),
        table.lines("  "));
    assertThrows(IllegalArgumentException.class, () -> table.row("NVME"));
  }

  @Test
  void linesBreakAtSpacesOnly() {
    assertEquals(
        List.of("a bb", "ccc dd", "eeeeeeeee", "f"), Wrap.lines("a bb ccc dd eeeeeeeee f", 6));
  }

  @Test
  void whatIsToBePastedStaysWhole() {
    String xml = "<property><name>a</name><value>b c d</value></property>";
    assertEquals(List.of("Put in:", xml), Wrap.lines("Put in:\n" + xml, 8));
  }
}
