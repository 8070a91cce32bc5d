// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.lang;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link Strings} is held against the JDK's own, which the tests' Java has. */
class StringsTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "a", "a\n", "a\r\nb\rc\n\nd", "\n", " a \t ", "\u2003a\u2003", "  "})
  void saysWhatStringItselfSays(String text) {
    assertEquals(text.lines().toList(), Strings.lines(text).toList());
    assertEquals(text.stripTrailing(), Strings.stripTrailing(text));
    assertEquals(text.repeat(3), Strings.repeat(text, 3));
    assertEquals("", Strings.repeat(text, 0));
  }

  @Test
  void aReplacementStandsAsItIs() {
    assertEquals(
        "$1\\<1>-<22>",
        Strings.replaceAll(
            Pattern.compile("\\d+|x").matcher("x1-22"),
            found -> found.group().equals("x") ? "$1\\" : "<" + found.group() + ">"));
  }
}
