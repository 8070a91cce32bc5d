// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.CommandProvider;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class HelpTextsTest {
  /** Such as of a per cent sign that it takes for a format: picocli warns on standard error. */
  @Test
  void noneIsPrintedWithAWarning() {
    List<String> shown = new ArrayList<>();
    ByteArrayOutputStream warnings = new ByteArrayOutputStream();
    PrintStream err = System.err;
    System.setErr(new PrintStream(warnings, true, StandardCharsets.UTF_8));
    try {
      for (CommandProvider provider : ServiceLoader.load(CommandProvider.class)) {
        provider.commands().forEach(command -> show(new CommandLine(command), shown));
      }
    } finally {
      System.setErr(err);
    }
    assertTrue(shown.size() > 4, shown::toString);
    assertEquals("", warnings.toString(StandardCharsets.UTF_8));
  }

  private static void show(CommandLine command, List<String> shown) {
    shown.add(command.getCommandName());
    assertTrue(command.getUsageMessage().contains("Usage: "), command::getCommandName);
    command.getSubcommands().values().forEach(below -> show(below, shown));
  }
}
