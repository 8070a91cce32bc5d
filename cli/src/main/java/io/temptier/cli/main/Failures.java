// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.main;

import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns exceptions into one readable message and an {@link ExitCodes exit code}. */
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {
  private final boolean debug;

  Failures(boolean debug) {
    this.debug = debug;
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    CommandLine cli = e.getCommandLine();
    PrintWriter err = cli.getErr();
    String message = String.valueOf(e.getMessage());
    List<String> suggestions = new ArrayList<>();
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
    trace(err, cli, e);
    return ExitCodes.WRONG_USE;
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine cli, ParseResult parsed) {
    if (e instanceof ParameterException) {
      return handleParseException((ParameterException) e, new String[0]);
    }
    PrintWriter err = cli.getErr();
    err.println(cli.getColorScheme().errorText("temptier: " + messageOf(e)));
    if (!debug && !(e instanceof CommandFailure)) {
      err.println("Run it again with --debug to see where this happened.");
    }
    trace(err, cli, e);
    return ExitCodes.FAILED;
  }

  /** A message that still says something where the exception itself has none. */
  private static String messageOf(Throwable e) {
    String message = e.getMessage();
    if (e instanceof CommandFailure && message != null) {
      return message;
    }
    return e.getClass().getSimpleName() + (message == null ? "" : ": " + message);
  }

  private void trace(PrintWriter err, CommandLine cli, Throwable e) {
    if (debug) {
      err.println(cli.getColorScheme().stackTraceText(e));
    }
  }
}
