// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.main.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Help.Ansi;

final class TraceCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path temp;

  @Test
  void whatIsWrittenCanBeReplayed() throws IOException {
    Path file = temp.resolve("trace.json.gz");
    assertEquals(0, run("bench", "trace", "--tasks=100", file.toString()), err::toString);
    TraceSummary summary = RumenTraceWriter.copyReplayable(file, temp.resolve("copy.json"));
    assertEquals(file + ": " + summary + System.lineSeparator(), out.toString());
    assertTrue(summary.maps() + summary.reduces() >= 100, summary::toString);
  }

  @Test
  void aFileThatCannotBeWrittenIsAFailure() {
    Path file = temp.resolve("none").resolve("trace.json");
    assertEquals(1, run("bench", "trace", file.toString()));
    assertTrue(err.toString().contains(file.toString()), err::toString);
    assertTrue(Files.notExists(file));
  }

  private int run(String... args) {
    return Main.run(new PrintWriter(out), new PrintWriter(err), Ansi.OFF, args);
  }
}
