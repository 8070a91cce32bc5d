// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.Run;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Help.Ansi;

class MainTest {
  static List<String> commands() {
    List<String> names = new ArrayList<>(Main.commandLine().getSubcommands().keySet());
    assertTrue(names.contains("test-probe"), "commands of other modules are found: " + names);
    return names;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandHasHelpAndVersion(String command) {
    Run help = Run.of(command, "--help");
    assertEquals(ExitCodes.FINE, help.code());
    assertTrue(help.out().startsWith("Usage: temptier " + command), help.out());
    assertTrue(help.out().contains("--debug"), help.out());
    Run version = Run.of(command, "--version");
    assertEquals(ExitCodes.FINE, version.code());
    assertTrue(version.out().startsWith("temptier "), version.out());
  }

  @Test
  void versionNamesTempTierHadoopAndJava() {
    Run run = Run.of("--version");
    assertEquals(ExitCodes.FINE, run.code());
    assertTrue(
        run.out().matches("(?s)temptier \\d+\\.\\d+\\.\\d+\\S*\\RHadoop \\d\\S*\\RJava \\S+ .*"),
        run.out());
  }

  @Test
  void withoutACommandItPrintsWhatThereIs() {
    Run run = Run.of();
    assertEquals(ExitCodes.WRONG_USE, run.code());
    assertEquals("", run.out());
    assertTrue(run.err().startsWith("Usage: temptier "), run.err());
  }

  @ParameterizedTest
  @CsvSource({
    "fine, 0, 'fine 0', ''",
    "fails, 1, '', 'temptier: no NodeManager at nm1:8042'",
    "breaks, 1, '', 'temptier: IllegalStateException: a bug|Run it again with --debug to see where"
        + " this happened.'",
    "checked, 1, '', 'temptier: IOException: disk gone|Run it again with --debug to see where this"
        + " happened.'",
    "misused, 2, '', 'temptier: rows=0 is too few|Try ''temptier test-probe --help''.'"
  })
  void everyEndHasItsExitCodeAndNoStackTrace(String how, int code, String out, String err) {
    Run run = Run.of("test-probe", how);
    assertEquals(code, run.code());
    assertEquals(out, run.out().strip());
    assertEquals(err, run.err().strip().replaceAll("\\R", "|"));
  }

  @Test
  void aModuleCanPutItsCommandsBelowAnother() {
    Run run = Run.of("s3a", "test-probe", "fine");
    assertEquals(ExitCodes.FINE, run.code(), run.err());
    assertEquals("fine 0", run.out().strip());
    assertTrue(Run.of("s3a", "test-probe", "fails").err().contains("no NodeManager at nm1"));
  }

  @Test
  void commandsThatNoReleaseHasAreMarked() {
    String help = Run.of("--help").out().replaceAll("\\s+", " ");
    assertTrue(help.contains("Ends as it is told. (not in the release)"), help);
    assertEquals(2, help.split("not in the release", -1).length, help);
    String below = Run.of("s3a", "--help").out();
    assertTrue(below.contains("(not in the release)"), below);
  }

  @Test
  void debugShowsWhereItHappened() {
    Run run = Run.of("test-probe", "breaks", "--debug");
    assertEquals(ExitCodes.FAILED, run.code());
    assertTrue(run.err().contains("at io.temptier.cli.ProbeCommandProvider"), run.err());
  }

  @Test
  void debugIsAnOptionAndNoArgument() {
    assertTrue(Main.debug("status", "--debug"));
    assertFalse(Main.debug("--", "--debug"));
  }

  @ParameterizedTest
  @CsvSource({
    "test-prob, Did you mean: test-probe",
    "test-prob, There is no command 'test-prob'.",
    "help doctor doctr, '''doctr'' is not expected.'",
    "--versoin, Did you mean: --version?",
    "test-probe --row 1, Did you mean: --rows?",
    "test-probe --rows many, '''many'' is not an int'"
  })
  void whatIsMistypedIsWrongUseWithASuggestion(String typed, String said) {
    Run run = Run.of(typed.split(" ", -1));
    assertEquals(ExitCodes.WRONG_USE, run.code());
    assertTrue(run.err().contains(said), run.err());
  }

  @Test
  void coloursOnlyWhereAskedFor() {
    assertEquals("fine 0", Run.of(Ansi.OFF, "test-probe").out().strip());
    String coloured = Run.of(Ansi.ON, "test-probe").out().strip();
    assertTrue(coloured.startsWith("\u001b[1mfine\u001b["), coloured);
    assertTrue(coloured.endsWith("m 0"), coloured);
  }
}
