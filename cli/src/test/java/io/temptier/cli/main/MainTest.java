// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.CommandFailure;
import io.temptier.cli.CommandProvider;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.Ran;
import io.temptier.cli.Run;
import io.temptier.cli.Terminal;
import io.temptier.fixtures.Programs;
import io.temptier.fixtures.StableNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

class MainTest {
  static List<String> commands() {
    List<String> names = new ArrayList<>(Main.commandLine().getSubcommands().keySet());
    assertTrue(names.contains("test-probe"), "commands of other modules are found: " + names);
    return names;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandHasHelpAndVersion(String command) {
    Run help = Run.of(command, "--help").fine();
    assertTrue(help.out().startsWith("Usage: temptier " + command), help.out());
    help.says("--debug");
    Run version = Run.of(command, "--version").fine();
    assertTrue(version.out().startsWith("temptier "), version.out());
  }

  @Test
  void namesStay() throws IOException {
    List<String> names = new ArrayList<>();
    addNames(Main.commandLine(), names);
    StableNames.check("commands and options", names, MainTest.class);
    List<String> codes =
        List.of(
            ExitCodes.FINE + ": fine",
            ExitCodes.FAILED + ": failed, or not fine",
            ExitCodes.WRONG_USE + ": wrong use",
            ExitCodes.UNANSWERED + ": a doctor got no answer");
    StableNames.check("exit codes", codes, MainTest.class);
  }

  /** Not of commands that come with a source checkout alone, or with these tests. */
  private static void addNames(CommandLine command, List<String> names) {
    String name = command.getCommandSpec().qualifiedName();
    names.add(name);
    for (OptionSpec option : command.getCommandSpec().options()) {
      String takes = option.arity().max() == 0 ? "" : ": " + option.paramLabel();
      names.add(name + " " + option.longestName() + takes);
    }
    for (PositionalParamSpec argument : command.getCommandSpec().positionalParameters()) {
      names.add(name + " " + argument.paramLabel());
    }
    for (CommandLine each : new LinkedHashSet<>(command.getSubcommands().values())) {
      String text = String.join(" ", each.getCommandSpec().usageMessage().description());
      if (!text.contains(CommandProvider.MARK)) {
        addNames(each, names);
      }
    }
  }

  @Test
  void versionNamesTempTierHadoopAndJava() {
    Run run = Run.of("--version").fine();
    assertTrue(
        run.out().matches("(?s)temptier \\d+\\.\\d+\\.\\d+\\S*\\RHadoop \\d\\S*\\RJava \\S+ .*"),
        run.out());
  }

  @Test
  void withoutACommandItPrintsWhatThereIs() {
    Run run = Run.of().misused();
    assertEquals("", run.out());
    assertTrue(run.err().startsWith("Usage: temptier "), run.err());
  }

  @ParameterizedTest
  @CsvSource({
    "fine, 0, 'fine 0', ''",
    "fails, 1, '', 'temptier: no NodeManager at nm1:8042'",
    "breaks, 1, '', 'temptier: IllegalStateException: a bug|Run it again with --debug to see where"
        + " this happened.'",
    "outgrows, 1, '', 'temptier: java.lang.OutOfMemoryError: Java heap space. Give this command"
        + " more memory: TEMPTIER_OPTS=''-Xmx4g -Xss16m''.'",
    "lacks, 1, '', 'temptier: java.lang.NoClassDefFoundError: org/apache/X. Are all jars there that"
        + " ''hadoop classpath'' names, for this user to read?'",
    "checked, 1, '', 'temptier: IOException: disk gone|Run it again with --debug to see where this"
        + " happened.'",
    "misused, 2, '', 'temptier: rows=0 is too few|Try ''temptier test-probe --help''.'"
  })
  void everyEndHasItsExitCodeAndNoStackTrace(String how, int code, String out, String err) {
    Run run = Run.of("test-probe", how).ends(code);
    assertEquals(out, run.out().strip());
    assertEquals(err, run.err().strip().replaceAll("\\R", "|"));
  }

  @ParameterizedTest
  @CsvSource({"/dev/full, 1, standard output cannot be written", "/dev/null, 0, ''"})
  void aResultThatIsLostIsAFailure(String file, int code, String said) throws Exception {
    String line = String.join(" ", Programs.java(Main.class, "test-probe")) + " > " + file;
    Ran.of(dir, Map.of(), "/bin/sh", "-c", line).ends(code, said);
  }

  @Test
  void aModuleCanPutItsCommandsBelowAnother() {
    Run run = Run.of("s3a", "test-probe", "fine").fine();
    assertEquals("fine 0", run.out().strip());
    Run.of("s3a", "test-probe", "fails").tells("no NodeManager at nm1");
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
    Run.of("test-probe", "breaks", "--debug").failed("at " + ProbeCommandProvider.class.getName());
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
    Run.of(typed.split(" ", -1)).misused(said);
  }

  @Test
  void coloursOnlyWhereAskedFor() {
    assertEquals("fine 0", Run.of(Ansi.OFF, "test-probe").out().strip());
    String coloured = Run.of(Ansi.ON, "test-probe").out().strip();
    assertTrue(coloured.startsWith("\u001b[1mfine\u001b["), coloured);
    assertTrue(coloured.endsWith("m 0"), coloured);
  }

  @TempDir private Path dir;

  @ParameterizedTest
  @CsvSource({"'', ''", "doctor, doctor", "s3a, s3a", "s3a doctor, s3a doctor", "help, help"})
  void helpShowsWhatTheCommandItselfShows(String names, String command) {
    String[] asked = ("help " + names).strip().split(" ", -1);
    String[] option = (command + " --help").strip().split(" ", -1);
    Run help = Run.of(asked).fine();
    assertEquals(Run.of(option).out(), help.out());
  }

  @ParameterizedTest
  @CsvSource({"doctr, doctor", "s3a profil, profile"})
  void helpForNoCommandIsWrongUseWithASuggestion(String names, String near) {
    Run.of(("help " + names).split(" ", -1))
        .misused("Did you mean: ", near, "There is no command '");
    Run.of("help", "zzz").tells("There is no command 'zzz'");
  }

  /** As bash would call it for a line that was typed. */
  private String completed(String line) throws Exception {
    Path script = dir.resolve("completion");
    Files.writeString(script, Run.of("completion").out());
    String call =
        """
        source "$1"; compopt() { :; }; COMP_LINE=$2; COMP_WORDS=($2); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _complete_temptier; echo "${COMPREPLY[@]}"
        """;
    Ran ran =
        Ran.of(dir, Map.of(), "/bin/bash", "-c", call, "bash", script.toString(), line).ends(0);
    return ran.text().strip();
  }

  @ParameterizedTest
  @CsvSource({
    "temptier doc, doctor",
    "temptier s3a pro, profile",
    "temptier help doc, doctor",
    "temptier doctor --conf, --conf-dir",
    "./temptier comp, completion",
    "temptier test-pr, test-probe"
  })
  void commandsAndOptionsAreCompleted(String line, String expected) throws Exception {
    assertEquals(expected, completed(line));
  }

  @Test
  void whatIsHiddenStaysHidden() throws Exception {
    assertEquals("", completed("temptier test-hid"));
    assertEquals(ExitCodes.FINE, Run.of("test-hidden").code());
    Run.of("completion").lacks("test-hidden");
  }

  /** A command brought by another module, that ends in every way a command can end. */
  public static final class ProbeCommandProvider implements CommandProvider {
    @Override
    public List<Object> commands() {
      return List.of(new Probe(), new Hidden());
    }

    /** One that another module puts below {@code s3a}. */
    public static final class BelowS3a implements CommandProvider {
      @Override
      public List<Object> commands() {
        return List.of(new Probe());
      }

      @Override
      public String parent() {
        return "s3a";
      }
    }

    @Command(name = "test-hidden", hidden = true, description = "Not for people.")
    static final class Hidden implements Callable<Integer> {
      @Override
      public Integer call() {
        return ExitCodes.FINE;
      }
    }

    @Command(name = "test-probe", description = "Ends as it is told.")
    static final class Probe implements Callable<Integer> {
      @Mixin private final Terminal terminal = new Terminal();

      @Spec private CommandSpec spec = CommandSpec.create();

      @Option(names = "--rows")
      private int rows;

      @Parameters(index = "0", defaultValue = "fine")
      private String how = "";

      @Override
      public Integer call() throws Exception {
        switch (how) {
          case "fails" -> throw new CommandFailure("no NodeManager at nm1:8042");
          case "breaks" -> throw new IllegalStateException("a bug");
          case "outgrows" -> throw new OutOfMemoryError("Java heap space");
          case "lacks" -> throw new NoClassDefFoundError("org/apache/X");
          case "checked" -> throw new IOException("disk gone");
          case "misused" -> throw new ParameterException(spec.commandLine(), "rows=0 is too few");
          default -> terminal.out().println(terminal.styled("bold", how) + " " + rows);
        }
        return ExitCodes.FINE;
      }
    }
  }
}
