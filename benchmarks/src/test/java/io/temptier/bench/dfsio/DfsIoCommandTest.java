// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.dfsio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.main.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Help.Ansi;

final class DfsIoCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource({
    "--experiment=e1, --experiment=e1 is neither dfsio nor e5",
    "--files=0, --files=0 is less than 1",
    "--megabytes=0, --megabytes=0 is less than 1",
    "--rows=0, --rows=0 is less than 1"
  })
  void wrongOptionsAreRefusedWithTheirValue(String option, String message) {
    assertEquals(2, run("bench", "dfsio", option));
    assertTrue(err.toString().contains(message), err.toString());
  }

  @Test
  void helpSaysThatItHasLittleTemporaryData() {
    assertEquals(0, run("bench", "dfsio", "--help"));
    assertTrue(out.toString().contains("temporary data"), out.toString());
  }

  private int run(String... args) {
    return Main.run(new PrintWriter(out), new PrintWriter(err), Ansi.OFF, args);
  }
}
