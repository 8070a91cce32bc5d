// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.main.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Help.Ansi;

final class ShuffleBenchCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource({
    "--seconds=0, --seconds=0.0 is not between 0 and 600",
    "--seconds=-1, --seconds=-1.0 is not between 0 and 600",
    "--scenario=slow, '--scenario=slow is none of all-fast, mixed, all-slow'",
    "--rounds=0, --rounds=0 is less than 1",
    "--slow-iops=0, --slow-iops=0 is less than 1",
    "--pass-size=much, --pass-size: \"much\" is not a size"
  })
  void wrongOptionsAreRefusedWithTheirValue(String option, String message) {
    assertEquals(2, run("bench", "shuffle", option));
    assertTrue(err.toString().contains(message), err.toString());
    assertTrue(err.toString().contains("Try 'temptier bench shuffle --help'"), err.toString());
  }

  @Test
  void helpNamesTheOptionsForPeopleOnly() {
    assertEquals(0, run("bench", "shuffle", "--help"));
    for (String option : new String[] {"--scenario", "--json", "--slow-dir"}) {
      assertTrue(out.toString().contains(option), out.toString());
    }
    assertFalse(out.toString().contains("--partitions"), out.toString());
  }

  @Test
  void withoutABenchmarkItSaysWhatIsMissing() {
    assertEquals(2, run("bench"));
    assertTrue(err.toString().contains("Missing required subcommand"), err.toString());
  }

  @Test
  void benchListsItsBenchmarks() {
    assertEquals(0, run("bench", "--help"));
    assertTrue(out.toString().contains("shuffle"), out.toString());
  }

  private int run(String... args) {
    return Main.run(new PrintWriter(out), new PrintWriter(err), Ansi.OFF, args);
  }
}
