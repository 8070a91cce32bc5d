// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code bench run}: measures experiments, those of the benchmarks or files of the user's. */
@Command(
    name = "run",
    description = {
      "Measures experiments, one after the other: those that `bench list` names, or files of your"
          + " own, such as a copy of benchmarks/experiments/e1.json with another arm or setting.",
      "Of several, one that cannot be run is told, and the next is run."
    },
    exitCodeList = {
      "0:all trials were made, whatever came of them",
      "1:what they are made on could not be run, or a trial does not count and all must",
      "2:wrong use"
    })
public final class RunCommand implements Callable<Integer> {
  private static final String SUFFIX = ".json";

  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();
  @Mixin private final ExperimentOptions options = new ExperimentOptions();

  @Parameters(
      paramLabel = "NAME|FILE",
      arity = "1..*",
      description = "Experiments by their names, or JSON files.")
  private List<String> names = new ArrayList<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Plan> plans = names.stream().map(this::plan).toList();
    Path folder = options.folder(terminal, plans.size() == 1 ? plans.get(0).label() : "several");
    boolean one = plans.size() == 1;
    PrintWriter out = json.textOf(terminal);
    ArrayNode results = JsonNodeFactory.instance.arrayNode();
    boolean fine = true;
    for (Plan plan : plans) {
      try {
        Path own = one ? folder : folder.resolve(plan.label());
        ExperimentResult result = ExperimentRun.of(plan, own, options.resumes(), terminal, out);
        results.add(ExperimentJson.of(result));
        fine &= result.allCount() || !plan.experiment().allCount();
      } catch (IOException e) {
        String failure = plan.label() + " could not be run: " + e.getMessage();
        if (one) {
          throw new CommandFailure(failure, e);
        }
        terminal.err().println(failure);
        fine = false;
      }
    }
    json.write(one ? results.get(0) : results, terminal);
    return fine ? ExitCodes.FINE : ExitCodes.FAILED;
  }

  private Plan plan(String name) {
    String label = name.replaceFirst(".*/", "").replace(SUFFIX, "");
    Experiment experiment =
        terminal.parse(name, text(name), text -> options.experiment(label, text));
    return options.plan(terminal, experiment);
  }

  private String text(String name) {
    if (Experiments.names().contains(name)) {
      return Experiments.text(name);
    }
    try {
      return Files.readString(Path.of(name));
    } catch (IOException e) {
      throw terminal.wrongUse(
          name + " is neither an experiment that `bench list` names nor a file that can be read");
    }
  }

  /** {@code bench list}. */
  @Command(
      name = "list",
      description = "Names the experiments that come with the benchmarks, and what each asks.",
      exitCodeList = "0:always")
  public static final class Listing implements Callable<Integer> {
    @Mixin private final Terminal terminal = new Terminal();

    @Override
    public Integer call() {
      for (String name : Experiments.names()) {
        String question = Experiments.named(name, false).question();
        terminal.out().printf(Locale.ROOT, "%-18s %s%n", name, question);
      }
      return ExitCodes.FINE;
    }
  }
}
