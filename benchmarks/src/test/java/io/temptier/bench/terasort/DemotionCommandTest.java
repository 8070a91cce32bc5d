// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.terasort;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.main.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Help.Ansi;

final class DemotionCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource({
    "--rounds=0, --rounds=0 is less than 1",
    "--rows=-1, --rows=-1 is less than 1",
    "--slow-mbps=0, --slow-mbps=0 is less than 1",
    "--rows=x, 'x' is not a long",
    "--arms=temptier, '--arms=temptier is none of demotion-off, demotion-on'"
  })
  void wrongOptionsAreRefusedWithTheirValue(String option, String message) {
    assertEquals(2, run("bench", "demotion", option));
    assertTrue(err.toString().contains(message), err.toString());
  }

  @Test
  void helpNamesTheOptions() {
    assertEquals(0, run("bench", "demotion", "--help"));
    for (String option : new String[] {"--rounds", "--rows", "--slow-mbps", "--json"}) {
      assertTrue(out.toString().contains(option), out.toString());
    }
  }

  private int run(String... args) {
    return Main.run(new PrintWriter(out), new PrintWriter(err), Ansi.OFF, args);
  }
}
