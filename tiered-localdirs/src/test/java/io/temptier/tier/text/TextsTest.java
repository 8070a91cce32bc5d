// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.Reserve;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values as texts, and texts as values. */
class TextsTest {
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
  @CsvSource({"0%, 0", "15%, 0.15", "2.5 %, 0.025", "100%, 1", "0.01%, 0.0001"})
  void parsesPercentages(String text, double fraction) {
    assertEquals(fraction, Sizes.parsePercent(text));
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

  @ParameterizedTest
  @CsvSource({"500ms, PT0.5S", "1s, PT1S", "2 M, PT2M", "3h, PT3H", "1d, PT24H", "36500d, P36500D"})
  void durationsAreNumbersWithAUnit(String text, Duration expected) {
    assertEquals(expected, Durations.parse(text));
  }

  @Test
  void whatIsNoValueIsRefusedWithItsText() {
    assertRefused(
        Sizes::parse,
        "| |g|-1|+1|1e3|1e999999999|0x10|1x|1kk|1.g|.5g|1,5g|1.5|8192p|9223372036854775808"
            + "|99999999999999999999999999|1g 2g|NaN|Infinity|١٢|10%");
    assertRefused(Sizes::parsePercent, "|%|15|0.15|-1%|101%|100.1%|1e1%|15%%|15 pct");
    assertRefused(Durations::parse, "|5|1.5s|-1s|0s|1w|9999999999s|999999999d");
  }

  private static void assertRefused(Function<String, ?> parser, String texts) {
    for (String text : texts.split("\\|", -1)) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> parser.apply(text), text);
      assertTrue(String.valueOf(e.getMessage()).startsWith("\"" + text + "\" "), e.toString());
    }
  }

  @Test
  void jsonSaysWhatIsMeant() {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("text", "a\"b\\c\n\u0001ü");
    object.put("number", Long.MIN_VALUE);
    object.put("share", 0.5);
    object.put("no number", Double.NaN);
    object.put("flag", true);
    object.put("nothing", null);
    object.put("list", Arrays.asList(1, "x", List.of(), Map.of()));
    object.put("other", Thread.State.NEW);
    assertEquals(
        "{\"text\":\"a\\\"b\\\\c\\u000a\\u0001ü\",\"number\":-9223372036854775808,\"share\":0.5,"
            + "\"no number\":null,\"flag\":true,\"nothing\":null,\"list\":[1,\"x\",[],{}],"
            + "\"other\":\"NEW\"}",
        Json.of(object));
  }

  @Test
  void halfASurrogatePairIsValidJson() {
    assertEquals("\"\\ud83d\"", Json.of("\ud83d"));
  }

  @Test
  void rowsOfATableHaveTrimmedCellsAndCommentsAreNone() {
    assertEquals(
        List.of(
            List.of("plain", "of two words", "last"),
            List.of("padded", "", "a|b"),
            List.of("leading", "|403", "|")),
        TextTable.read(TextsTest.class, "table.txt", 3));
  }

  @Test
  void onlyWhatIsSaidIsFilledInAndOnce() {
    assertEquals(
        "a, {0}, $1, {2} and {x}", TextTable.fill("a, {0}, {1}, {2} and {x}", "{0}", "$1"));
  }

  /** A row that no check calls by its name is one that nobody can ever read. */
  @ParameterizedTest
  @CsvSource({"hadoop/conf,findings.txt", "tier,local-dirs.txt"})
  void eachFindingIsCalledByItsName(String folder, String table) throws IOException {
    StringBuilder code = new StringBuilder();
    try (var sources =
        Files.newDirectoryStream(Path.of("src/main/java/io/temptier", folder), "*.java")) {
      for (Path source : sources) {
        code.append(Files.readString(source));
      }
    }
    Path rows = Path.of("src/main/resources/io/temptier", folder, table);
    for (String row : Files.readAllLines(rows)) {
      String name = row.split(" \\|", 2)[0];
      assertTrue(row.startsWith("#") || code.indexOf('"' + name + '"') >= 0, row);
    }
  }
}
