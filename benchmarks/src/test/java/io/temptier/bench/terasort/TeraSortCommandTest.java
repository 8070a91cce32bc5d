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

final class TeraSortCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource({
    "--experiment=e9, --experiment=e9 is none of e1",
    "--settings=1/2, --settings=1/2 is none of fits",
    "--rounds=0, --rounds=0 is less than 1",
    "--rows=-1, --rows=-1 is less than 1",
    "--arms=stock, --arms=stock is none of stock-hdd",
    "--block=big, --block: \"big\" is not a size",
    "--memory=0, --memory=0 is nothing",
    "--slow-mbps=0, --slow-mbps=0 is less than 1"
  })
  void wrongOptionsAreRefusedWithTheirValue(String option, String message) {
    assertEquals(2, run("bench", "terasort", option));
    assertTrue(err.toString().contains(message), err.toString());
  }

  @Test
  void helpNamesTheOptions() {
    assertEquals(0, run("bench", "terasort", "--help"));
    for (String option : new String[] {"--experiment", "--arms", "--resume", "--json"}) {
      assertTrue(out.toString().contains(option), out.toString());
    }
  }

  private int run(String... args) {
    return Main.run(new PrintWriter(out), new PrintWriter(err), Ansi.OFF, args);
  }
}
