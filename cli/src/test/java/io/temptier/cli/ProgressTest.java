/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
