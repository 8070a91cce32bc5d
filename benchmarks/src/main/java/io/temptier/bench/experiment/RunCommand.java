// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code bench run}: an experiment of the user's own. */
@Command(
    name = "run",
    description =
        "Measures an experiment of your own: a file like those in benchmarks/experiments, such as a"
            + " copy of e1.json with another arm, setting or goal.")
public final class RunCommand extends ExperimentCommand {
  @Parameters(paramLabel = "FILE", description = "The experiment: a JSON file.")
  private Path path = Path.of("");

  @Override
  protected String label() {
    return String.valueOf(path.getFileName()).replaceFirst("\\.json$", "");
  }

  @Override
  protected String file() throws IOException {
    if (!Files.isReadable(path)) {
      throw terminal()
          .wrongUse(path + " is no file that can be read: name one like e1.json of the benchmarks");
    }
    return Files.readString(path);
  }
}
