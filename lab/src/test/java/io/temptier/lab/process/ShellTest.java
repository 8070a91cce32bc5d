// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.process;

import io.temptier.fixtures.Texts;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ShellTest {
  @Test
  void aProgramThatHangsIsEndedAndWhatItPrintedIsSaid() {
    List<String> hangs = List.of("sh", "-c", "echo begun; exec sleep 600");
    Texts.thrown(
        IOException.class,
        () -> Shell.run(hangs, Duration.ofSeconds(1)),
        "sh took more than 1 s: begun");
  }

  @Test
  void aProgramThatFailsIsSaidWithItsErrors() {
    List<String> fails = List.of("sh", "-c", "echo why >&2; exit 3");
    Texts.thrown(IOException.class, () -> Shell.run(fails), "sh ended with 3: why");
  }
}
