// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.main;

import io.temptier.cli.CommandFailure;
import io.temptier.cli.CommandProvider;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.Terminal;
import io.temptier.tier.lang.Immutable;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Entry point of the {@code temptier} command line. */
public final class Main {
  private Main() {}

  /** A command that is none by itself: shows those below it. */
  abstract static class Parent implements Callable<Integer> {
    @Mixin private final Terminal terminal = new Terminal();

    @Override
    public Integer call() {
      terminal.commandLine().usage(terminal.err(), terminal.ansi());
      return ExitCodes.WRONG_USE;
    }
  }

  /** Runs one command and ends the JVM with its {@link ExitCodes exit code}. */
  public static void main(String[] args) {
    // Before the first class that logs is loaded: log4j reads its configuration once.
    configureLogging(debug(args));
    PrintWriter out =
        new PrintWriter(new OutputStreamWriter(System.out, Charset.defaultCharset()), false);
    PrintWriter err =
        new PrintWriter(new OutputStreamWriter(System.err, Charset.defaultCharset()), true);
    int code = run(out, err, Ansi.AUTO, args);
    // A reader of the pipe, such as head, may end before us.
    if (System.out.checkError() && !Terminal.device(1).startsWith("pipe:")) {
      err.println("temptier: standard output cannot be written. Is its disk full?");
      code = ExitCodes.FAILED;
    }
    System.exit(code);
  }

  /**
   * Keeps Hadoop's log lines off the terminal, unless the user has chosen a configuration of log4j:
   * they are shown, on standard error, with {@code debug} only. Ours has a name of its own and is
   * asked for by a system property, so that this jar never changes the logging of a JVM that merely
   * has it on its classpath. To be called before the first class that logs is loaded.
   */
  public static void configureLogging(boolean debug) {
    if (System.getProperty("log4j.configuration") == null) {
      System.setProperty("log4j.configuration", "io/temptier/cli/logging.properties");
      System.setProperty("temptier.log.level", debug ? "INFO" : "OFF");
    }
  }

  /**
   * Runs one command in this JVM. Results go to {@code out}, failures and progress to {@code err};
   * returns an exit code of {@link ExitCodes}.
   */
  public static int run(PrintWriter out, PrintWriter err, Ansi ansi, String... args) {
    boolean debug = debug(args);
    try {
      CommandLine cli = commandLine(args.length == 0 ? "" : args[0]);
      cli.setOut(out);
      cli.setErr(err);
      cli.setColorScheme(CommandLine.Help.defaultColorScheme(ansi));
      cli.setParameterExceptionHandler((e, arguments) -> misused(e, debug));
      cli.setExecutionExceptionHandler((e, command, result) -> failed(e, command, debug));
      return cli.execute(args);
    } catch (OutOfMemoryError | StackOverflowError | LinkageError e) {
      String jars = "Are all jars there that 'hadoop classpath' names, for this user to read?";
      String memory = "Give this command more memory: TEMPTIER_OPTS='-Xmx4g -Xss16m'.";
      err.println("temptier: " + e + ". " + (e instanceof LinkageError ? jars : memory));
      if (debug) {
        err.println(CommandLine.Help.defaultColorScheme(ansi).stackTraceText(e));
      }
      return ExitCodes.FAILED;
    } finally {
      out.flush();
      err.flush();
    }
  }

  public static CommandLine commandLine() {
    return commandLine("");
  }

  /** Makes the command line; with the first command alone where that will do, to save time. */
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

  private static int misused(ParameterException e, boolean debug) {
    CommandLine cli = e.getCommandLine();
    PrintWriter err = cli.getErr();
    String message = String.valueOf(e.getMessage());
    List<String> suggestions = Immutable.listOf();
    if (e instanceof UnmatchedArgumentException) {
      UnmatchedArgumentException unmatched = (UnmatchedArgumentException) e;
      suggestions = unmatched.getSuggestions();
      if (!unmatched.isUnknownOption()) {
        String what = "'" + String.join(" ", unmatched.getUnmatched()) + "'";
        boolean command = !cli.getSubcommands().isEmpty();
        message = command ? "There is no command " + what + "." : what + " is not expected.";
      }
    }
    err.println(cli.getColorScheme().errorText("temptier: " + message));
    if (!suggestions.isEmpty()) {
      err.println("Did you mean: " + String.join(" or ", suggestions) + "?");
    }
    err.println("Try '" + cli.getCommandSpec().qualifiedName() + " --help'.");
    trace(cli, e, debug);
    return ExitCodes.WRONG_USE;
  }

  private static int failed(Exception e, CommandLine cli, boolean debug) {
    if (e instanceof ParameterException) {
      return misused((ParameterException) e, debug);
    }
    // A message still says something where the exception itself has none.
    String message = e.getMessage();
    String name = e.getClass().getSimpleName() + (message == null ? "" : ": " + message);
    boolean readable = e instanceof CommandFailure && message != null;
    cli.getErr()
        .println(cli.getColorScheme().errorText("temptier: " + (readable ? message : name)));
    if (!debug && !(e instanceof CommandFailure)) {
      cli.getErr().println("Run it again with --debug to see where this happened.");
    }
    trace(cli, e, debug);
    return ExitCodes.FAILED;
  }

  private static void trace(CommandLine cli, Throwable e, boolean debug) {
    if (debug) {
      cli.getErr().println(cli.getColorScheme().stackTraceText(e));
    }
  }

  /** True if stack traces and logs are to be shown: decided before parsing, which may fail. */
  static boolean debug(String... args) {
    List<String> all = Arrays.asList(args);
    int end = all.indexOf("--");
    return all.subList(0, end < 0 ? all.size() : end).contains("--debug");
  }
}
