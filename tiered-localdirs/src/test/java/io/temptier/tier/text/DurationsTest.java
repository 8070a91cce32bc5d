// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
  @ParameterizedTest
  @CsvSource({"500ms, PT0.5S", "1s, PT1S", "2 M, PT2M", "3h, PT3H", "1d, PT24H", "36500d, P36500D"})
  void areNumbersWithAUnit(String text, Duration expected) {
    assertEquals(expected, Durations.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "1.5s", "-1s", "0s", "1w", "9999999999s", "999999999d"})
  void anythingElseIsRefusedWithTheText(String text) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Durations.parse(text));
    assertTrue(String.valueOf(e.getMessage()).startsWith("\"" + text + "\" is "), e.toString());
  }
}
