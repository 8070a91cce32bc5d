// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import static java.lang.StackWalker.Option.RETAIN_CLASS_REFERENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.cli.main.Main;
import io.temptier.fixtures.GoldenFile;
import io.temptier.fixtures.Texts;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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
  private static final Set<String> ASK_NODES = Set.of("status", "history");

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

  /**
   * Runs {@code temptier args}, with the patience for a slow machine where the command has some and
   * the test gives none.
   */
  public static Run of(Ansi ansi, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> all = new ArrayList<>(List.of(args));
    if (args.length > 0 && ASK_NODES.contains(args[0]) && !all.contains("--timeout")) {
      all.addAll(1, List.of("--timeout", "10m"));
    }
    if (String.join(" ", args).startsWith("s3a doctor ") && !all.contains("--seconds")) {
      all.addAll(2, List.of("--seconds", "600"));
    }
    int code =
        Main.run(new PrintWriter(out), new PrintWriter(err), ansi, all.toArray(String[]::new));
    return new Run(code, out.toString(), err.toString());
  }

  /** Asserts that it went well, and that its result says that. */
  public Run fine(String... said) {
    return ends(ExitCodes.FINE).says(said);
  }

  /** Asserts that it failed, and told why. */
  public Run failed(String... told) {
    return ends(ExitCodes.FAILED).tells(told);
  }

  /** Asserts that it was used wrongly, and told how. */
  public Run misused(String... told) {
    return ends(ExitCodes.WRONG_USE).tells(told);
  }

  public Run ends(int expected) {
    assertEquals(expected, code, this::toString);
    return this;
  }

  public Run says(String... parts) {
    Texts.has(out, parts);
    return this;
  }

  /** Asserts that it printed that about itself. */
  public Run tells(String... parts) {
    Texts.has(err, parts);
    return this;
  }

  /** Asserts that it printed none of that anywhere. */
  public Run lacks(String... parts) {
    Texts.lacks(out + "\n" + err, parts);
    return this;
  }

  /** Asserts that it printed nothing about itself. */
  public Run quiet() {
    assertEquals("", err);
    return this;
  }

  /** Asserts that it printed one line about itself, besides where to find help. */
  public Run oneLine() {
    assertEquals(1, err.lines().filter(line -> !line.startsWith("Try '")).count(), err);
    return this;
  }

  /** Asserts that its result fits 80 columns, but for paths and properties. */
  public Run fits() {
    List<String> wide =
        out.lines()
            .filter(line -> line.length() > 80 && !line.matches(" *(/|<|[A-Z]+ +\\S+ = ).*"))
            .toList();
    assertEquals(List.of(), wide);
    return this;
  }

  public JsonNode json() throws IOException {
    return new ObjectMapper().readTree(out);
  }

  public String flat() {
    return out.replaceAll("\\s+", " ");
  }

  /** Compares what a command printed with what is kept in {@code src/test/resources/golden}. */
  public static void golden(String name, String text) throws IOException {
    Class<?> test = StackWalker.getInstance(RETAIN_CLASS_REFERENCE).getCallerClass();
    GoldenFile.check("cli/src/test/resources/golden/" + name, text, test);
  }
}
