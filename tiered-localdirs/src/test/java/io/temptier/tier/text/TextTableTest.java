// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {
  @Test
  void rowsHaveTrimmedCellsAndCommentsAreNone() {
    assertEquals(
        List.of(
            List.of("plain", "of two words", "last"),
            List.of("padded", "", "a|b"),
            List.of("leading", "|403", "|")),
        TextTable.read(TextTableTest.class, "table.txt", 3));
  }

  @Test
  void aRowOfOtherLengthIsNamed() {
    IllegalStateException e =
        assertThrows(
            IllegalStateException.class, () -> TextTable.read(TextTableTest.class, "table.txt", 4));
    assertTrue(
        String.valueOf(e.getMessage()).startsWith("table.txt: 3 cells, not 4: plain |"),
        e.toString());
    assertThrows(
        NullPointerException.class, () -> TextTable.lines(TextTableTest.class, "none.txt"));
  }

  @Test
  void onlyWhatIsSaidIsFilledInAndOnce() {
    assertEquals(
        "a, {0}, $1, {2} and {x}", TextTable.fill("a, {0}, {1}, {2} and {x}", "{0}", "$1"));
  }
}
