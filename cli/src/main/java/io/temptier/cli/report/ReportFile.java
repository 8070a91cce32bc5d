// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.report;

import io.temptier.cli.CommandFailure;
import io.temptier.cli.Terminal;
import io.temptier.cli.WholeFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Mixin with the option {@code --report FILE}. */
public final class ReportFile {
  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write a report of one HTML file, with charts, that needs no network.")
  private @Nullable Path file;

  /** Writes the page if it was asked for, and says where. */
  public void write(Supplier<Page> page, Terminal terminal) {
    if (file != null) {
      write(file, page.get(), terminal);
    }
  }

  public static void write(Path file, Page page, Terminal terminal) {
    try {
      WholeFile.write(file, page.html());
    } catch (IOException e) {
      throw new CommandFailure("the report could not be made: " + e.getMessage(), e);
    }
    terminal.err().println("Report: " + file.toAbsolutePath());
    terminal.err().flush();
  }
}
