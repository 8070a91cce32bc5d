// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.CommandProvider;
import io.temptier.cli.main.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Every command is in README or in the docs. */
final class CommandTableTest {
  private static final Path CHECKOUT = Path.of("..");

  /** Commands without commands of their own, in the order of the help. */
  private static Stream<CommandSpec> leaves(CommandLine command) {
    return command.getSubcommands().isEmpty()
        ? Stream.of(command.getCommandSpec())
        : command.getSubcommands().values().stream().flatMap(CommandTableTest::leaves);
  }

  private static String description(CommandSpec command) {
    return String.join(" ", command.usageMessage().description()).replace("%%", "%");
  }

  /** Whether no release has it: the mark stands at what was added, a command or a group of them. */
  private static boolean inCheckoutsOnly(CommandSpec command) {
    return description(command).contains(CommandProvider.MARK)
        || (command.parent() != null && inCheckoutsOnly(command.parent()));
  }

  @Test
  void everyCommandOfTheReleaseIsInTheReadme() throws IOException {
    String readme = Files.readString(CHECKOUT.resolve("README.md"));
    List<String> without =
        leaves(Main.commandLine())
            .filter(command -> !inCheckoutsOnly(command))
            .map(CommandSpec::qualifiedName)
            .filter(name -> !readme.contains("`" + name + "`"))
            .toList();
    assertEquals(List.of(), without, "not in README.md");
  }

  @Test
  void everyOtherCommandIsInTheDocs() throws IOException {
    String docs =
        Files.readString(CHECKOUT.resolve("README.md"))
            + Files.readString(CHECKOUT.resolve("docs/benchmarks.md"))
            + Files.readString(CHECKOUT.resolve("docs/s3a.md"));
    List<String> without = new ArrayList<>();
    List<CommandSpec> commands =
        leaves(Main.commandLine()).filter(CommandTableTest::inCheckoutsOnly).toList();
    assertTrue(commands.size() > 3, commands::toString);
    for (CommandSpec command : commands) {
      Pattern told = Pattern.compile("\\./" + command.qualifiedName() + "(?![a-z0-9])");
      if (!told.matcher(docs).find()) {
        without.add(command.qualifiedName());
      }
    }
    assertEquals(List.of(), without, "in neither README.md, docs/benchmarks.md nor docs/s3a.md");
  }
}
