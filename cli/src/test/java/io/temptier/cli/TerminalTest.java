// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link Progress}. */
class TerminalTest {
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
