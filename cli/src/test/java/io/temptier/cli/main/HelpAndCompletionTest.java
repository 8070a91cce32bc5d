// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.Ran;
import io.temptier.cli.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HelpAndCompletionTest {
  @TempDir private Path dir;

  @ParameterizedTest
  @CsvSource({"'', ''", "doctor, doctor", "s3a, s3a", "s3a doctor, s3a doctor", "help, help"})
  void helpShowsWhatTheCommandItselfShows(String names, String command) {
    String[] asked = ("help " + names).strip().split(" ", -1);
    String[] option = (command + " --help").strip().split(" ", -1);
    Run help = Run.of(asked);
    assertEquals(ExitCodes.FINE, help.code(), help.err());
    assertEquals(Run.of(option).out(), help.out());
  }

  @ParameterizedTest
  @CsvSource({"doctr, doctor", "s3a profil, profile"})
  void helpForNoCommandIsWrongUseWithASuggestion(String names, String near) {
    Run help = Run.of(("help " + names).split(" ", -1));
    assertEquals(ExitCodes.WRONG_USE, help.code(), help.out());
    assertTrue(help.err().contains("Did you mean: ") && help.err().contains(near), help.err());
    assertTrue(help.err().contains("There is no command '"), help.err());
    assertTrue(Run.of("help", "zzz").err().contains("There is no command 'zzz'"));
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
    Ran ran = Ran.of(dir, Map.of(), "/bin/bash", "-c", call, "bash", script.toString(), line);
    assertEquals(0, ran.code(), ran.text());
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
    assertFalse(Run.of("completion").out().contains("test-hidden"));
  }
}
