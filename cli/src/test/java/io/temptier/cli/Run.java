// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import io.temptier.cli.main.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Help.Ansi;

/**
 * What one run of the command line gave.
 *
 * @param code its exit code
 * @param out what it printed as its result
 * @param err what it printed about itself
 */
public record Run(int code, String out, String err) {
  static {
    Main.configureLogging(false);
  }

  /** Runs {@code temptier args} without colours. */
  public static Run of(String... args) {
    return of(Ansi.OFF, args);
  }

  /** Runs {@code temptier command args} without colours. */
  public static Run of(List<String> command, String... args) {
    return of(Stream.concat(command.stream(), Stream.of(args)).toArray(String[]::new));
  }

  /** Runs {@code temptier args}. */
  public static Run of(Ansi ansi, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Main.run(new PrintWriter(out), new PrintWriter(err), ansi, args);
    return new Run(code, out.toString(), err.toString());
  }
}
