// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.testbed;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ExperimentBench;
import io.temptier.bench.experiment.ExperimentOptions;
import io.temptier.bench.jobs.Calibration;
import io.temptier.bench.jobs.Experiment;
import io.temptier.bench.jobs.JobOptions;
import io.temptier.bench.jobs.JobPlan;
import io.temptier.bench.jobs.NodeSetting;
import io.temptier.bench.jobs.Site;
import io.temptier.bench.node.EmulationOptions;
import io.temptier.bench.node.NodeProfile;
import io.temptier.bench.terasort.TeraSort;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Terminal;
import io.temptier.lab.testbed.EmulatedDisk;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code temptier bench testbed calibrate}. */
@Command(
    name = "calibrate",
    description = {
      "Finds the requests per second of the HDDs at which about 40 %% of the cores are at work"
          + " while temporary data is on HDDs, as published, by sorts of 244 MiB on nodes that it"
          + " makes and removes.",
      "At most six steps of some minutes, on a machine that does nothing else. `bench terasort` and"
          + " `bench gridmix` do the same first with --calibrate."
    },
    exitCodeList = {
      "0:between 35 and 45 %%",
      "1:none was near enough, or the node or the cluster could not be run",
      "2:wrong use"
    },
    sortOptions = false)
public final class CalibrateCommand implements Callable<Integer> {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final long DEADLINE_SECONDS = 1200;

  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();
  @Mixin private final EmulationOptions node = new EmulationOptions();

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description =
          "Where to keep the steps: a search that was interrupted goes on from them (default: a new"
              + " folder in target/bench).")
  private @Nullable Path report;

  @Override
  public Integer call() throws InterruptedException {
    try {
      NodeProfile chosen =
          node.profile().orElseThrow(() -> terminal.wrongUse("--profile is missing"));
      JobPlan plan = plan(chosen);
      CommandFailure.ifAny(EmulatedDisk.hindrance());
      Path folder =
          report != null
              ? report.toAbsolutePath().normalize()
              : ExperimentOptions.newFolder("calibration-" + chosen.label());
      PrintWriter out = json.textOf(terminal);
      Calibration calibration = Calibration.run(new ExperimentBench(terminal, out), folder, plan);
      out.println(calibration);
      out.println("Use it: --profile " + chosen.label() + " --slow-iops " + iops(calibration));
      out.flush();
      json.write(tree(chosen, calibration), terminal);
      return calibration.found() ? ExitCodes.FINE : ExitCodes.FAILED;
    } catch (IOException e) {
      throw new CommandFailure("the node could not be calibrated: " + e.getMessage(), e);
    }
  }

  private JobPlan plan(NodeProfile chosen) {
    NodeSetting setting = NodeSetting.of(chosen.label(), chosen.hdds(), NodeSetting.FITS);
    Experiment experiment =
        new Experiment(
            "testbed calibrate",
            "calibration",
            "How slow must the HDDs be?",
            List.of(setting.withTasks(chosen.tasks())),
            List.of(Arm.STOCK_HDD),
            TeraSort.tiny());
    return new JobPlan(
        experiment,
        1,
        List.of(),
        node.speed(terminal),
        Sizes.parse(JobOptions.READ_AHEAD),
        node.memoryBytes(terminal),
        DEADLINE_SECONDS,
        Site.EMULATED,
        Map.of());
  }

  private static int iops(Calibration calibration) {
    return calibration.best().iops();
  }

  private static ObjectNode tree(NodeProfile chosen, Calibration calibration) {
    ObjectNode tree =
        MAPPER
            .createObjectNode()
            .put("profile", chosen.label())
            .put("found", calibration.found())
            .put("iops", iops(calibration))
            .put("cpu", calibration.best().cpu());
    tree.set("steps", MAPPER.valueToTree(calibration.steps()));
    return tree;
  }
}
