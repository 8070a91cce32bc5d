// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.main;

import io.temptier.cli.CommandProvider;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.Logging;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Entry point of the {@code temptier} command line. */
public final class Main {
  private Main() {}

  /** Runs one command and ends the JVM with its {@link ExitCodes exit code}. */
  public static void main(String[] args) {
    // Before the first class that logs is loaded: log4j reads its configuration once.
    Logging.configure(debug(args));
    PrintWriter out =
        new PrintWriter(new OutputStreamWriter(System.out, Charset.defaultCharset()), false);
    PrintWriter err =
        new PrintWriter(new OutputStreamWriter(System.err, Charset.defaultCharset()), true);
    int code = run(out, err, Ansi.AUTO, args);
    out.flush();
    err.flush();
    System.exit(code);
  }

  /**
   * Runs one command in this JVM. Results go to {@code out}, failures and progress to {@code err};
   * returns an exit code of {@link ExitCodes}.
   */
  public static int run(PrintWriter out, PrintWriter err, Ansi ansi, String... args) {
    CommandLine cli = commandLine(args.length == 0 ? "" : args[0]);
    cli.setOut(out);
    cli.setErr(err);
    cli.setColorScheme(CommandLine.Help.defaultColorScheme(ansi));
    Failures failures = new Failures(debug(args));
    cli.setParameterExceptionHandler(failures);
    cli.setExecutionExceptionHandler(failures);
    int code = cli.execute(args);
    out.flush();
    err.flush();
    return code;
  }

  /** Every command, those of {@link CommandProvider} included, ready to be run. */
  public static CommandLine commandLine() {
    return commandLine("");
  }

  /** The same with the first command alone where that will do: to make all takes their time. */
  private static CommandLine commandLine(String first) {
    CommandLine cli = new CommandLine(new RootCommand());
    Optional<Class<?>> alone =
        RootCommand.ALONE.stream()
            .filter(command -> command.getAnnotation(Command.class).name().equals(first))
            .findFirst();
    if (alone.isPresent()) {
      cli.addSubcommand(alone.get());
    } else {
      RootCommand.ALONE.forEach(cli::addSubcommand);
      RootCommand.OTHERS.forEach(cli::addSubcommand);
      for (CommandProvider provider : ServiceLoader.load(CommandProvider.class)) {
        CommandLine parent =
            provider.parent().isEmpty()
                ? cli
                : Objects.requireNonNull(cli.getSubcommands().get(provider.parent()));
        provider.commands().forEach(command -> parent.addSubcommand(marked(command)));
      }
    }
    cli.setCaseInsensitiveEnumValuesAllowed(true);
    cli.setUsageHelpAutoWidth(true);
    return cli;
  }

  /** A command whose line in its parent's help says that no release has it. */
  private static CommandLine marked(Object command) {
    CommandLine added = new CommandLine(command);
    UsageMessageSpec usage = added.getCommandSpec().usageMessage();
    String[] description = usage.description();
    if (description.length > 0) {
      description[0] += " " + CommandProvider.MARK;
      usage.description(description);
    }
    return added;
  }

  /** Whether to show stack traces and logs: decided before parsing, which may fail itself. */
  static boolean debug(String... args) {
    List<String> all = Arrays.asList(args);
    int end = all.indexOf("--");
    return all.subList(0, end < 0 ? all.size() : end).contains("--debug");
  }
}
