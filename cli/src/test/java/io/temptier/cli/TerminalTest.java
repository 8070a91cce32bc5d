// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** {@link Terminal} and {@link Progress}. */
class TerminalTest {
  @Command(name = "any")
  private static final class AnyCommand {
    @Mixin private final Terminal terminal = new Terminal();
  }

  private final AnyCommand command = new AnyCommand();
  private final CommandLine line = new CommandLine(command);

  @Test
  void whatIsNamedIsChosenInTheOrderOfAll() {
    List<Integer> all = List.of(1, 2, 3);
    assertEquals(all, command.terminal.chosen("--of", List.of(), all, String::valueOf));
    assertEquals(
        List.of(1, 3), command.terminal.chosen("--of", List.of("3", "1"), all, String::valueOf));
    ParameterException e =
        assertThrows(
            ParameterException.class,
            () -> command.terminal.chosen("--of", List.of("1", "4"), all, String::valueOf));
    assertEquals("--of=4 is none of 1, 2, 3", e.getMessage());
    assertEquals(line, e.getCommandLine());
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
}
