// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.main;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.Terminal;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code temptier completion}. */
@Command(
    name = "completion",
    description = {
      "Prints a script that completes commands and options in bash and zsh.",
      "To switch it on: temptier completion > /etc/bash_completion.d/temptier"
    },
    exitCodeList = "0:printed")
final class CompletionCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();

  @Override
  public Integer call() {
    // What there is, is what it completes: of a release no command that only a checkout has.
    terminal.out().print(AutoComplete.bash("temptier", terminal.root()));
    return ExitCodes.FINE;
  }
}
