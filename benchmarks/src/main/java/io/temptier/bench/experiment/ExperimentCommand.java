// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bench NAME}: begins or continues a run of one experiment, and says what came of it. */
@Command(
    exitCodeList = {
      "0:all trials were made, whatever came of them",
      "1:what they are made on could not be run, or a trial does not count and all must",
      "2:wrong use"
    })
public class ExperimentCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();
  @Mixin private final ExperimentOptions options = new ExperimentOptions();
  private final String name;

  public ExperimentCommand(String name) {
    this.name = name;
  }

  /** The experiment's name. */
  protected String name() {
    return name;
  }

  /** The text of the experiment's file. */
  protected String file() throws IOException {
    return Experiments.text(name);
  }

  @Override
  public Integer call() throws InterruptedException {
    try {
      String label = name();
      Plan plan = options.plan(terminal, options.experiment(terminal, label, file()));
      PrintWriter out = json.textOf(terminal);
      ExperimentBench bench = new ExperimentBench(terminal, out);
      Optional<Path> resume = options.resume();
      ExperimentResult result =
          bench.run(
              resume.isPresent()
                  ? ResultFolder.open(resume.get(), label)
                  : bench.create(options.folder(label), plan));
      json.write(ExperimentJson.of(result), terminal);
      boolean fine = result.allCount() || !result.plan().experiment().allCount();
      return fine ? ExitCodes.FINE : ExitCodes.FAILED;
    } catch (IOException e) {
      throw new CommandFailure("bench " + name() + " could not be run: " + e.getMessage(), e);
    }
  }
}
