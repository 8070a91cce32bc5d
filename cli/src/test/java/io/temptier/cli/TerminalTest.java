// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class TerminalTest {
  @Command(name = "any")
  private static final class AnyCommand {
    @Mixin private final Terminal terminal = new Terminal();
  }

  private final AnyCommand command = new AnyCommand();
  private final CommandLine line = new CommandLine(command);

  @Test
  void whatAParserRefusesIsWrongUseOfItsOption() {
    assertEquals(0.5, command.terminal.parse("--share", "50%", Sizes::parsePercent));
    ParameterException e =
        assertThrows(
            ParameterException.class,
            () -> command.terminal.parse("--share", "half", Sizes::parsePercent));
    assertTrue(
        String.valueOf(e.getMessage()).startsWith("--share: \"half\" is not a percentage"),
        e::getMessage);
    assertEquals(line, e.getCommandLine());
  }

  @Test
  void aSizeIsAtLeastAByte() {
    assertEquals(1 << 20, command.terminal.size("--size", "1m"));
    ParameterException e =
        assertThrows(ParameterException.class, () -> command.terminal.size("--size", "0"));
    assertEquals("--size=0 is nothing", e.getMessage());
  }

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
  }

  @Test
  void aFileTakesThePlaceOfWhatWasThereAndLeavesNothingElse(@TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("report");
    Terminal.writeWhole(file, "old");
    Terminal.writeWhole(file, "new");
    assertEquals("new", Files.readString(file));
    try (Stream<Path> all = Files.list(folder)) {
      assertEquals(List.of(file), all.toList());
    }
  }
}
