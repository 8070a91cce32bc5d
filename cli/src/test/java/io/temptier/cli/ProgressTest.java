// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final StringWriter drawn = new StringWriter();

  private Progress start(boolean terminal, Duration silent) {
    return Progress.start("Sorting", new PrintWriter(drawn), terminal, silent);
  }

  private void awaitDrawn(String text) {
    long deadline = System.nanoTime() + Duration.ofMinutes(5).toNanos();
    while (!drawn.toString().contains(text) && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertTrue(drawn.toString().contains(text), drawn.toString());
  }

  @Test
  void aPersonSeesWhatIsDoneAndThenACleanLine() {
    try (Progress progress = start(true, Duration.ZERO)) {
      progress.say("map 40 %");
      awaitDrawn("Sorting: map 40 % (");
    }
    assertTrue(drawn.toString().endsWith("\r\u001b[K"), drawn.toString());
  }

  @Test
  void shortWorkShowsNothing() {
    try (Progress progress = start(true, Duration.ofHours(1))) {
      progress.say("map 40 %");
    }
    assertEquals("", drawn.toString());
  }

  @Test
  void nobodyLookingSeesNothing() {
    try (Progress progress = start(false, Duration.ZERO)) {
      progress.say("map 40 %");
    }
    assertEquals("", drawn.toString());
  }
}
