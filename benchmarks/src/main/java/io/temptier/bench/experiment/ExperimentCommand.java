// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Begins or continues a run of an experiment, and says what came of it. */
@Command(
    exitCodeList = {
      "0:all trials were made, whatever came of them",
      "1:what they are made on could not be run, or a trial does not count and all must",
      "2:wrong use"
    })
abstract class ExperimentCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();
  @Mixin private final ExperimentOptions options = new ExperimentOptions();

  /** {@code bench NAME}: measures one of the experiments that come with the benchmarks. */
  static final class Named extends ExperimentCommand {
    private final List<String> names;

    @Option(
        names = "--experiment",
        paramLabel = "NAME",
        description = "Which of these to measure (default: the first of them).")
    private @Nullable String experiment;

    private Named(List<String> names) {
      this.names = names;
    }

    @Override
    protected String label() {
      return experiment == null ? names.get(0) : experiment;
    }

    @Override
    protected String file() {
      if (!names.contains(label())) {
        throw terminal()
            .wrongUse("--experiment=" + label() + " is none of " + String.join(", ", names));
      }
      return Experiments.text(label());
    }
  }

  /** The command that measures these, with an option for each property of their workloads. */
  static CommandSpec spec(String name, List<String> names) {
    ExperimentCommand command = new Named(names);
    CommandSpec spec = CommandSpec.forAnnotatedObject(command).name(name);
    Map<String, String> properties = new LinkedHashMap<>();
    List<String> questions = new ArrayList<>();
    for (String one : names) {
      String file = Experiments.text(one);
      Experiments.properties(file).forEach(properties::putIfAbsent);
      String question = Experiments.question(file).replace("%", "%%");
      questions.add((names.size() == 1 ? "" : one + ": ") + question + ".");
    }
    command.options.addProperties(spec, properties);
    spec.usageMessage().description(questions.toArray(String[]::new));
    return spec;
  }

  protected Terminal terminal() {
    return terminal;
  }

  /** The experiment's name. */
  protected abstract String label();

  /** The text of the experiment's file. */
  protected abstract String file() throws IOException;

  @Override
  public Integer call() throws InterruptedException {
    String label = label();
    try {
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
      throw new CommandFailure("bench " + label + " could not be run: " + e.getMessage(), e);
    }
  }
}
