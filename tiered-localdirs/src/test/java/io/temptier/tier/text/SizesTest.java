// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.Reserve;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizesTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1",
    "512b, 512",
    "1 bytes, 1",
    "1k, 1024",
    "64m, 67108864",
    "64M, 67108864",
    "64MB, 67108864",
    "64 MiB, 67108864",
    "200g, 214748364800",
    "1.5t, 1649267441664",
    "0.5k, 512",
    "1.0001k, 1024",
    "8191p, 9222246136947933184",
    "9223372036854775807, 9223372036854775807"
  })
  void parsesSizes(String text, long bytes) {
    assertEquals(bytes, Sizes.parse(text));
    assertEquals(bytes, Sizes.parse("  " + text + "\t"), "blanks around it");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "g",
        "-1",
        "+1",
        "1e3",
        "1e999999999",
        "0x10",
        "1x",
        "1kk",
        "1.g",
        ".5g",
        "1,5g",
        "1.5",
        "8192p",
        "9223372036854775808",
        "99999999999999999999999999",
        "1g 2g",
        "NaN",
        "Infinity",
        "١٢",
        "10%"
      })
  void refusesWhatIsNoSize(String text) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Sizes.parse(text));
    assertTrue(
        String.valueOf(e.getMessage()).contains("\"" + text + "\""),
        "names the text: " + e.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"0%, 0", "15%, 0.15", "2.5 %, 0.025", "100%, 1", "0.01%, 0.0001"})
  void parsesPercentages(String text, double fraction) {
    assertEquals(fraction, Sizes.parsePercent(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "%", "15", "0.15", "-1%", "101%", "100.1%", "1e1%", "15%%", "15 pct"})
  void refusesWhatIsNoPercentage(String text) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Sizes.parsePercent(text));
    assertTrue(String.valueOf(e.getMessage()).contains("\"" + text + "\""));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1 KiB",
    "1048575, 1 MiB",
    "1610612736, 1.5 GiB",
    "-2048, -2 KiB",
    "9223372036854775807, 8192 PiB",
    "-9223372036854775808, -8192 PiB"
  })
  void formatsForPeople(long bytes, String text) {
    assertEquals(text, Sizes.format(bytes));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 20261121, 7777777})
  void formattedSizesParseBackWithinTheirRounding(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 2000; i++) {
      long bytes = random.nextLong() >>> (2 + random.nextInt(61));
      String text = Sizes.format(bytes);
      long back = Sizes.parse(text);
      assertTrue(
          Math.abs(back - bytes) <= Math.max(1, bytes * 0.051),
          () -> "seed " + seed + ": " + bytes + " -> " + text + " -> " + back);
    }
  }

  @Test
  void parsesReservesOfBothKinds() {
    assertEquals(Reserve.DEFAULT, Reserve.parse("15%"));
    assertEquals(Reserve.ofBytes(20L << 30), Reserve.parse("20g"));
    assertEquals(Reserve.ofBytes(0), Reserve.parse("0"));
    assertEquals(Reserve.ofBytes(101), Reserve.parse("101"));
    assertEquals(Reserve.ofBytes(15), Reserve.parse("15b"));
  }
}
