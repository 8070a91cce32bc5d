// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.gridmix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.main.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Help.Ansi;

final class GridmixCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--profile=laptop | --profile=laptop is none of twitter-like, intel-lab-like",
        "--tasks=0 | --tasks=0 is less than 1",
        "--policy=LATER | --policy",
        "--block=big | --block: \"big\" is not a size",
        "--rounds=0 | --rounds=0 is less than 1",
        "--arms=stock | --arms=stock is none of stock-hdd"
      })
  void wrongOptionsAreRefusedWithTheirValue(String option, String message) {
    assertEquals(2, run("bench", "gridmix", option), err::toString);
    assertTrue(err.toString().contains(message), err::toString);
  }

  @Test
  void calibratingNeedsAProfile() {
    assertEquals(2, run("bench", "testbed", "calibrate"), err::toString);
    assertTrue(err.toString().contains("--profile is missing"), err::toString);
    assertEquals(2, run("bench", "testbed", "calibrate", "--profile=laptop"), err::toString);
    assertTrue(err.toString().contains("is none of twitter-like"), err::toString);
  }

  @Test
  void helpNamesTheOptions() {
    assertEquals(0, run("bench", "gridmix", "--help"));
    for (String option :
        new String[] {"--trace", "--policy", "--profile", "--calibrate", "REPLAY"}) {
      assertTrue(out.toString().contains(option), out::toString);
    }
  }

  private int run(String... args) {
    return Main.run(new PrintWriter(out), new PrintWriter(err), Ansi.OFF, args);
  }
}
