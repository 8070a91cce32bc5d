// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Texts;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link Table}, {@link Words}, {@link TimeRange} and {@link Progress}. */
class TextTest {
  @Test
  void aTableFitsItsWidth() {
    Table<Long> table =
        new Table<Long>()
            .bytes("SIZE", size -> size)
            .wide("MORE", size -> "more of this")
            .wide("LEAST", size -> "least wanted")
            .add("WHY", size -> size + " bytes are what is told here, and why in many words");
    List<Long> rows = List.of(5L << 30, 7L, -1L);
    assertEquals(
        List.of(
            "SIZE GiB  WHY",
            "     5.0  5368709120 bytes are what is told",
            "          here, and why in many words",
            "    <0.1  7 bytes are what is told here,",
            "          and why in many words",
            "       -  -1 bytes are what is told here,",
            "          and why in many words"),
        table.lines("", rows, 43));
    assertEquals(
        "SIZE GiB  MORE          LEAST         WHY",
        table.lines("", rows, Integer.MAX_VALUE).get(0));
  }

  @Test
  void whatIsToBePastedStaysWhole() {
    String xml = "<property><name>a</name><value>b c d</value></property>";
    assertEquals(List.of("Put in:", xml), Words.lines("Put in:\n" + xml, 8));
    String shell = "export HADOOP_CLASSPATH=a";
    assertEquals(List.of("Put in:", shell), Words.lines("Put in:\n" + shell, 8));
  }

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-02-01T12:00:00Z"), ZoneOffset.UTC);

  @ParameterizedTest
  @CsvSource({
    "1m, 0, 2026-02-01T11:59:00Z",
    "2026-01-31, 0, 2026-01-31T00:00:00Z",
    "2026-01-31, 1, 2026-02-01T00:00:00Z",
    "2026-01-31T22:00, 1, 2026-01-31T22:00:00Z",
    "2026-01-31T22:00:05Z, 1, 2026-01-31T22:00:05Z"
  })
  void timesAsPeopleTypeThem(String text, int day, Instant time) {
    assertEquals(time.toEpochMilli(), TimeRange.parse(text, CLOCK, Duration.ofDays(day)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"yesterday", "2023-99-99", ""})
  void whatIsNoTime(String text) {
    Texts.thrown(
        IllegalArgumentException.class,
        () -> TimeRange.parse(text, CLOCK, Duration.ZERO),
        "2026-01-31T22:00");
  }

  private final StringWriter drawn = new StringWriter();

  private Progress start(boolean terminal, Duration silent) {
    return Progress.start("Sorting", new PrintWriter(drawn), terminal, silent);
  }

  private void awaitDrawn(String text) {
    Eventually.holds("it shows " + text, () -> drawn.toString().contains(text));
  }

  @Test
  void aPersonSeesWhatIsDoneAndThenACleanLine() {
    try (Progress progress = start(true, Duration.ZERO)) {
      progress.say("map 40 %");
      awaitDrawn("Sorting: map 40 % (");
    }
    assertTrue(drawn.toString().endsWith("\r\u001b[K"), drawn.toString());
  }

  @ParameterizedTest
  @CsvSource({"true, PT1H", "false, PT0S"})
  void shortWorkShowsNothingNorIsAnyShownWhereNobodyLooks(boolean terminal, Duration silent) {
    try (Progress progress = start(terminal, silent)) {
      progress.say("map 40 %");
    }
    assertEquals("", drawn.toString());
  }

  @Test
  void longWorkIsALineForEachPhaseInALog() {
    try (Progress progress = Progress.inLines("demo", new PrintWriter(drawn))) {
      progress.say("sort: map 40 %");
      progress.say("sort: map 60 %");
      progress.say("validate: map 0 %");
    }
    assertEquals(2, drawn.toString().lines().count(), drawn.toString());
    assertTrue(drawn.toString().startsWith("demo: sort ("), drawn.toString());
  }
}
