// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Terminal;
import io.temptier.lab.testbed.EmulatedDisk;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The {@code bench all} command. */
@Command(
    name = "all",
    description = {
      "Runs the experiments of jobs on emulated worker nodes, one after the other, and writes one"
          + " report of all. Needs root.",
      "Takes hours; with --quick about 36 minutes on two idle cores: one round, little data,"
          + " and fewer nodes and arms. An experiment that cannot be run is told, and the next is"
          + " run."
    },
    exitCodeList = {
      "0:all trials were made, whatever came of them",
      "1:a node or a cluster could not be run",
      "2:wrong use"
    })
public final class AllCommand implements Callable<Integer> {
  /** In the order to run them. */
  static final List<String> NAMES =
      List.of("e1", "e2", "e3", "e4", "e5", "e7", "e8", "gridmix", "gridmix-intel-lab");

  private static final List<String> QUICK_NAMES = NAMES.subList(0, NAMES.size() - 1);

  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();
  @Mixin private final ExperimentOptions options = new ExperimentOptions();

  static List<String> names(boolean quick) {
    return quick ? QUICK_NAMES : NAMES;
  }

  @Override
  public Integer call() throws InterruptedException {
    List<Plan> plans = new ArrayList<>();
    for (String name : names(options.quick())) {
      plans.add(options.plan(terminal, options.experiment(terminal, name, Experiments.text(name))));
    }
    try {
      CommandFailure.ifAny(EmulatedDisk.hindrance());
      PrintWriter out = json.textOf(terminal);
      ExperimentBench bench = new ExperimentBench(terminal, out);
      Optional<Path> resume = options.resume();
      Path folder = resume.isPresent() ? resume.get() : options.folder("all");
      // All at once: so the folder holds by what options the later ones are to be run, too.
      for (Plan plan : resume.isPresent() ? List.<Plan>of() : plans) {
        ResultFolder unused = bench.create(folder.resolve(plan.label()), plan);
      }
      out.println("All results: " + folder + " (if interrupted: --resume " + folder + ")");
      AllResult result = run(bench, folder, out);
      Path html = result.publish(folder);
      json.write(result.json(), terminal);
      out.println("Report of all: " + html + " (report.json and trials.csv beside it)");
      result.failures().forEach((name, why) -> out.println("NOT RUN: " + name + ": " + why));
      out.flush();
      return result.failures().isEmpty() ? ExitCodes.FINE : ExitCodes.FAILED;
    } catch (IOException e) {
      throw new CommandFailure("bench all could not be run: " + e.getMessage(), e);
    }
  }

  private static AllResult run(ExperimentBench bench, Path folder, PrintWriter out)
      throws IOException, InterruptedException {
    List<Path> runs = ResultFolder.within(folder);
    if (runs.isEmpty()) {
      throw new IOException(folder + " holds no run of bench all");
    }
    AllResult all = new AllResult();
    for (Path one : runs) {
      String name = String.valueOf(one.getFileName());
      out.println();
      try {
        all.add(bench.run(ResultFolder.open(one)));
      } catch (IOException e) {
        all.failed(name, String.valueOf(e.getMessage()));
        out.println(name + " could not be run: " + e.getMessage());
      }
    }
    return all;
  }
}
