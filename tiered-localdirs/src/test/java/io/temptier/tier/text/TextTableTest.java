// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
  void onlyWhatIsSaidIsFilledInAndOnce() {
    assertEquals(
        "a, {0}, $1, {2} and {x}", TextTable.fill("a, {0}, {1}, {2} and {x}", "{0}", "$1"));
  }
}
