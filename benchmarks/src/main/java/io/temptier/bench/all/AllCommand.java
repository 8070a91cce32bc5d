// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.all;

import io.temptier.bench.dfsio.DfsIoCommand;
import io.temptier.bench.experiment.ExperimentBench;
import io.temptier.bench.experiment.ExperimentOptions;
import io.temptier.bench.experiment.ResultFolder;
import io.temptier.bench.gridmix.GridmixCommand;
import io.temptier.bench.jobs.Experiment;
import io.temptier.bench.jobs.JobOptions;
import io.temptier.bench.jobs.JobPlan;
import io.temptier.bench.node.NodeProfile;
import io.temptier.bench.terasort.TeraSort;
import io.temptier.bench.terasort.TeraSortCommand;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Terminal;
import io.temptier.cli.report.MachineFacts;
import io.temptier.lab.testbed.EmulatedDisk;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code bench all} command. */
@Command(
    name = "all",
    description = {
      "Runs every experiment on emulated worker nodes, one after the other, and writes one report"
          + " of all. Needs root.",
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
  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();
  @Mixin private final ExperimentOptions options = new ExperimentOptions();
  @Mixin private final JobOptions jobs = new JobOptions();

  @Option(
      names = "--rows",
      paramLabel = "N",
      description =
          "Rows of 100 bytes that each sort sorts (default: 7680000; with --quick 2560000).")
  private @Nullable Long rows;

  @Override
  public Integer call() throws InterruptedException {
    List<Experiment> experiments = experiments(sort(), options.quick());
    if (jobs.calibrate()) {
      throw terminal.wrongUse(
          "--calibrate is for one experiment: use `bench testbed calibrate`, and give the"
              + " --slow-iops that it finds");
    }
    try {
      CommandFailure.ifAny(EmulatedDisk.hindrance());
      PrintWriter out = json.textOf(terminal);
      ExperimentBench bench = new ExperimentBench(terminal, out);
      Optional<Path> resume = options.resume();
      Path folder = resume.isPresent() ? resume.get() : create(bench, experiments);
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

  private TeraSort sort() {
    TeraSort sort = options.quick() ? TeraSort.tiny() : TeraSort.usual();
    if (rows == null) {
      return sort;
    }
    terminal.atLeastOne("--rows", rows);
    return TeraSort.of(rows, sort.maxBlockBytes());
  }

  /** In the order to run them; Gridmix, whose plan is made of its trace, comes after these. */
  static List<Experiment> experiments(TeraSort sort, boolean quick) {
    return Stream.of(
            TeraSortCommand.experiments(sort, quick), DfsIoCommand.experiments(sort, quick))
        .flatMap(List::stream)
        .sorted(Comparator.comparing(Experiment::label))
        .toList();
  }

  /** All at once, so that the folder holds by what options the later ones are to be run, too. */
  private Path create(ExperimentBench bench, List<Experiment> experiments) throws IOException {
    List<JobPlan> plans =
        experiments.stream().map(one -> jobs.plan(terminal, options, one)).toList();
    Path folder = options.folder("all");
    for (JobPlan plan : plans) {
      bench.create(folder.resolve(plan.experiment().label()), plan);
    }
    for (NodeProfile profile : gridmixNodes()) {
      Path one = folder.resolve("gridmix-" + profile.label());
      Experiment replay = GridmixCommand.experiment(profile, one, options.quick());
      bench
          .create(one, jobs.plan(terminal, options, replay))
          .addFact(MachineFacts.TRACE, MachineFacts.SYNTHETIC);
    }
    return folder;
  }

  private List<NodeProfile> gridmixNodes() {
    List<NodeProfile> all =
        options.quick() ? List.of(NodeProfile.TWITTER_LIKE) : List.of(NodeProfile.values());
    return jobs.profile().map(List::of).orElse(all);
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
