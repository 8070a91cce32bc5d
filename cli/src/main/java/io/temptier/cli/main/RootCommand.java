// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.main;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.Terminal;
import io.temptier.cli.Version;
import io.temptier.cli.doctor.DoctorCommand;
import io.temptier.cli.drain.DrainCommand;
import io.temptier.cli.drain.UndrainCommand;
import io.temptier.cli.explain.ExplainCommand;
import io.temptier.cli.history.HistoryCommand;
import io.temptier.cli.history.ReportCommand;
import io.temptier.cli.plan.PlanCommand;
import io.temptier.cli.probe.ProbeCommand;
import io.temptier.cli.s3a.S3aCommand;
import io.temptier.cli.status.StatusCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** {@code temptier} without a command: prints what there is. */
@Command(
    name = "temptier",
    description = "Keeps YARN's temporary data on the fastest local medium that has room.",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    subcommands = {
      StatusCommand.class,
      ExplainCommand.class,
      HistoryCommand.class,
      ReportCommand.class,
      DoctorCommand.class,
      DrainCommand.class,
      UndrainCommand.class,
      ProbeCommand.class,
      PlanCommand.class,
      S3aCommand.class,
      CompletionCommand.class,
      HelpCommand.class
    },
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    sortOptions = false,
    usageHelpAutoWidth = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:fine", "1:failed, or something needs mending", "2:wrong use"})
final class RootCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();

  // Read by Main before parsing; declared here so that it is known, documented and inherited.
  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Show stack traces and logs, as the variable TEMPTIER_DEBUG=1 does.")
  @SuppressWarnings("UnusedVariable")
  private boolean debug;

  @Override
  public Integer call() {
    terminal.commandLine().usage(terminal.err(), terminal.ansi());
    return ExitCodes.WRONG_USE;
  }
}
