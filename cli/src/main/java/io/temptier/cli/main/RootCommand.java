// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.main;

import io.temptier.cli.CommandProvider;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.Terminal;
import io.temptier.cli.doctor.DoctorCommand;
import io.temptier.cli.drain.DrainCommand;
import io.temptier.cli.explain.ExplainCommand;
import io.temptier.cli.history.HistoryCommand;
import io.temptier.cli.plan.PlanCommand;
import io.temptier.cli.s3a.ProfileCommand;
import io.temptier.cli.s3a.doctor.StoreDoctorCommand;
import io.temptier.cli.status.StatusCommand;
import io.temptier.tier.BuildVersion;
import io.temptier.tier.lang.Immutable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code temptier} without a command: prints what there is. */
@Command(
    name = "temptier",
    description = "Keeps YARN's temporary data on the fastest local medium that has room.",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = RootCommand.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    sortOptions = false,
    usageHelpAutoWidth = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:fine",
      "1:failed, or something needs mending",
      "2:wrong use",
      "3:a doctor got no answer"
    })
final class RootCommand extends Main.Parent {
  /** Commands that know nothing of others. */
  static final List<Class<?>> ALONE =
      Immutable.listOf(
          StatusCommand.class,
          ExplainCommand.class,
          HistoryCommand.class,
          DoctorCommand.class,
          DrainCommand.Drain.class,
          DrainCommand.Undrain.class,
          PlanCommand.class);

  static final List<Class<?>> OTHERS =
      Immutable.listOf(S3aCommand.class, CompletionCommand.class, HelpCommand.class);

  // Read by Main before parsing; declared here so that it is known, documented and inherited.
  @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Show stack traces and logs.")
  @SuppressWarnings("UnusedVariable")
  private boolean debug;

  /** {@code temptier s3a}, to which other modules add commands by a {@link CommandProvider}. */
  @Command(
      name = "s3a",
      description = "S3A on Ceph's gateway: what to set, and why.",
      subcommands = {ProfileCommand.class, StoreDoctorCommand.class})
  static final class S3aCommand extends Main.Parent {}

  @Command(
      name = "completion",
      description = {
        "Prints a script that completes commands and options in bash and zsh.",
        "To switch it on: temptier completion > /etc/bash_completion.d/temptier"
      },
      exitCodeList = "0:printed")
  static final class CompletionCommand implements Callable<Integer> {
    @Mixin private final Terminal terminal = new Terminal();

    @Override
    public Integer call() {
      // What there is, is what it completes: of a release no command that only a checkout has.
      terminal.out().print(AutoComplete.bash("temptier", terminal.root()));
      return ExitCodes.FINE;
    }
  }

  /** {@code temptier help}: that of picocli has another {@code --help} than ours. */
  @Command(
      name = "help",
      description = "Shows what a command does and takes, as COMMAND --help does.",
      exitCodeList = {"0:shown", "2:there is no such command"})
  static final class HelpCommand implements Callable<Integer> {
    @Mixin private final Terminal terminal = new Terminal();

    @Parameters(
        paramLabel = "COMMAND",
        completionCandidates = Names.class,
        description = "The command, such as doctor or s3a doctor. Default: temptier itself.")
    private List<String> names = new ArrayList<>();

    @Override
    public Integer call() {
      CommandLine command = terminal.root();
      for (String name : names) {
        CommandLine below = command.getSubcommands().get(name);
        if (below == null) {
          throw new UnmatchedArgumentException(command, Immutable.listOf(name));
        }
        command = below;
      }
      command.usage(terminal.out(), terminal.ansi());
      return ExitCodes.FINE;
    }
  }

  /** Names that {@code help} takes, found when a script to complete it is made. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Main.commandLine().getSubcommands().entrySet().stream()
          .filter(command -> !command.getValue().getCommandSpec().usageMessage().hidden())
          .map(Map.Entry::getKey)
          .iterator();
    }
  }

  /** The versions of TempTier, of the Hadoop it runs with, and of Java. */
  static final class Version implements IVersionProvider {
    /** Hadoop's own class for it starts to log, which takes a third of the time of a help text. */
    private static final String OF_HADOOP = "/common-version-info.properties";

    @Override
    public String[] getVersion() {
      return new String[] {
        "temptier " + BuildVersion.get(),
        "Hadoop " + BuildVersion.of(OF_HADOOP, "not on the classpath"),
        String.format(
            "Java %s (%s)",
            System.getProperty("java.runtime.version"), System.getProperty("java.vendor"))
      };
    }
  }
}
