// SPDX-License-Identifier: Apache-2.0
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
