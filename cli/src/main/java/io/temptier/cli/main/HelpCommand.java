// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.main;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * {@code temptier help}: picocli's own has its own {@code --help}, which ours is inherited over.
 */
@Command(
    name = "help",
    description = "Shows what a command does and takes, as COMMAND --help does.",
    exitCodeList = {"0:shown", "2:there is no such command"})
final class HelpCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();

  @Parameters(
      paramLabel = "COMMAND",
      description = "The command, such as doctor or s3a doctor. Default: temptier itself.")
  private List<String> names = new ArrayList<>();

  @Override
  public Integer call() {
    CommandLine command = terminal.root();
    for (String name : names) {
      CommandLine below = command.getSubcommands().get(name);
      if (below == null) {
        throw new UnmatchedArgumentException(command, List.of(name));
      }
      command = below;
    }
    command.usage(terminal.out(), terminal.ansi());
    return ExitCodes.FINE;
  }
}
