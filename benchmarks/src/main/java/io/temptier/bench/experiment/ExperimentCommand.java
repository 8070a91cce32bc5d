// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A command that measures an experiment: begins or continues a run, and says what came of it. */
@Command(
    exitCodeList = {
      "0:all trials were made, whatever came of them",
      "1:what they are made on could not be run",
      "2:wrong use"
    })
public abstract class ExperimentCommand implements Callable<Integer> {
  @Mixin protected final Terminal terminal = new Terminal();
  @Mixin protected final JsonFile json = new JsonFile();
  @Mixin protected final ExperimentOptions options = new ExperimentOptions();

  /**
   * The plan of a new run.
   *
   * @throws picocli.CommandLine.ParameterException when an option is wrong
   */
  protected abstract ExperimentPlan plan();

  protected ResultFolder create(ExperimentBench bench, ExperimentPlan plan)
      throws IOException, InterruptedException {
    return bench.create(folder(plan), plan);
  }

  protected Path folder(ExperimentPlan plan) throws IOException {
    String command = plan.command();
    String label = plan.label();
    return options.folder(label.equals(command) ? command : command + "-" + label);
  }

  protected int exitCode(ExperimentResult result) {
    return ExitCodes.FINE;
  }

  @Override
  public Integer call() throws InterruptedException {
    ExperimentPlan plan = plan();
    String command = plan.command();
    try {
      ExperimentBench bench = new ExperimentBench(terminal, json.textOf(terminal));
      Optional<Path> resume = options.resume();
      ExperimentResult result =
          bench.run(
              resume.isPresent() ? ResultFolder.open(resume.get(), command) : create(bench, plan));
      json.write(ExperimentJson.of(result), terminal);
      return exitCode(result);
    } catch (IOException e) {
      throw new CommandFailure("bench " + command + " could not be run: " + e.getMessage(), e);
    }
  }
}
