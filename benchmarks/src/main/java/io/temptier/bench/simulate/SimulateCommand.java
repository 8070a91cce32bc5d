/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.bench.simulate;

import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import io.temptier.hadoop.DemotionConfig;
import io.temptier.hadoop.TierKey;
import io.temptier.tier.Finding;
import io.temptier.tier.PlacementPolicy;
import io.temptier.tier.Reserve;
import io.temptier.tier.Sizes;
import io.temptier.tier.TierSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code bench simulate} command. */
@Command(
    name = "simulate",
    description = {
      "Runs a trace on a modelled cluster with production's placement policy and watermarks, for"
          + " several sizes of the fast disk at a time, and says which size is enough.",
      "Tasks take as long as in the trace; files are as large. What a faster disk saves is not"
          + " counted. Without a trace, a synthetic one is made up."
    })
public final class SimulateCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();

  @Option(
      names = "--trace",
      paramLabel = "PATH",
      description =
          "A trace of Rumen's TraceBuilder (JSON, also .gz), or a folder with .jhist files.")
  private @Nullable Path trace;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Nodes of the cluster (default: ${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--containers",
      paramLabel = "N",
      defaultValue = "20",
      description = "Tasks that a node runs at a time (default: ${DEFAULT-VALUE}).")
  private int containers;

  @Option(
      names = "--fast",
      paramLabel = "SIZE",
      arity = "1..*",
      split = ",",
      defaultValue = "1g,2g,4g,8g,16g,32g,64g",
      description = "Sizes of a node's fast disk to compare (default: ${DEFAULT-VALUE}).")
  private List<String> fast = new ArrayList<>();

  @Option(
      names = "--sort-memory",
      paramLabel = "SIZE",
      defaultValue = "80m",
      description =
          "What a map sorts in memory before it spills: mapreduce.task.io.sort.mb times"
              + " mapreduce.map.sort.spill.percent (default: ${DEFAULT-VALUE}).")
  private String sortMemory = "";

  @Option(
      names = "--reduce-memory",
      paramLabel = "SIZE",
      defaultValue = "700m",
      description =
          "What a reduce holds in memory before it writes to disk: its heap times"
              + " mapreduce.reduce.shuffle.input.buffer.percent (default: ${DEFAULT-VALUE}).")
  private String reduceMemory = "";

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      defaultValue = "FAST_FIRST",
      description = "One of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private PlacementPolicy.Named policy = PlacementPolicy.Named.FAST_FIRST;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "A property of TempTier: temptier.reserve and temptier.demotion.* count.")
  private List<String> properties = new ArrayList<>();

  @Option(
      names = "--tasks",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Tasks of the synthetic trace (default: ${DEFAULT-VALUE}).")
  private long tasks;

  @Option(
      names = "--utilisation",
      paramLabel = "PERCENT",
      defaultValue = "70%",
      description =
          "How busy the synthetic trace keeps the containers on average (default:"
              + " ${DEFAULT-VALUE}).")
  private String utilisation = "";

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Of everything that is drawn: the same seed gives the same result (default: 1).")
  private long seed;

  /** Called by picocli. */
  public SimulateCommand() {}

  @Override
  public Integer call() {
    terminal.atLeastOne("--nodes", nodes);
    terminal.atLeastOne("--containers", containers);
    terminal.atLeastOne("--tasks", tasks);
    double busy = parse("--utilisation", utilisation, Sizes::parsePercent);
    if (busy <= 0 || busy > 1) {
      throw terminal.wrongUse("--utilisation=" + utilisation + " is not above 0% and up to 100%");
    }
    ClusterModel model = model();
    PrintWriter out = json.textOf(terminal);
    SimulationResult result;
    try (Trace jobs = open(busy);
        Progress progress = terminal.progress("bench simulate")) {
      Simulation simulation =
          new Simulation(model, seed, ended -> progress.say(ended + " jobs ended"));
      result = simulation.run(jobs);
    } catch (IOException e) {
      throw new CommandFailure("bench simulate could not be run: " + e.getMessage(), e);
    }
    json.write(SimulateJson.of(model, result, terminal.typed()), terminal);
    SimulateText.print(out, model, result, trace == null ? "synthetic, seed " + seed : "" + trace);
    out.flush();
    return ExitCodes.FINE;
  }

  private Trace open(double busy) throws IOException {
    if (trace == null) {
      return new SyntheticTrace(seed, tasks, (long) nodes * containers, busy);
    }
    return Files.isDirectory(trace) ? JobHistoryTrace.open(trace) : RumenTrace.open(trace);
  }

  private ClusterModel model() {
    Configuration conf = new Configuration(false);
    for (String property : properties) {
      int equals = property.indexOf('=');
      if (equals < 1 || !property.startsWith("temptier.")) {
        throw terminal.wrongUse("-D " + property + " is not temptier.something=value");
      }
      conf.set(property.substring(0, equals), property.substring(equals + 1));
    }
    DemotionConfig.Resolution demotion = DemotionConfig.resolve(conf);
    for (Finding finding : demotion.findings()) {
      if (finding.severity() == Finding.Severity.ERROR) {
        throw terminal.wrongUse(finding.toString());
      }
    }
    TierSettings defaults = TierSettings.DEFAULT;
    String reserve = conf.get(TierKey.RESERVE.key(), TierKey.RESERVE.defaultValue());
    List<Long> sizes = new ArrayList<>();
    for (String size : fast) {
      sizes.add(positive("--fast", size));
    }
    try {
      return new ClusterModel(
          nodes,
          containers,
          positive("--sort-memory", sortMemory),
          positive("--reduce-memory", reduceMemory),
          sizes,
          parse("-D " + TierKey.RESERVE.key(), reserve, Reserve::parse),
          new TierSettings(
              policy,
              defaults.unknownSizeBytes(),
              defaults.appShare(),
              defaults.hysteresis(),
              defaults.refresh(),
              defaults.claimIdle()),
          demotion.settings());
    } catch (IllegalArgumentException e) {
      throw terminal.wrongUse("--fast: " + e.getMessage());
    }
  }

  private long positive(String option, String text) {
    long bytes = parse(option, text, Sizes::parse);
    if (bytes == 0) {
      throw terminal.wrongUse(option + "=" + text + " is nothing");
    }
    return bytes;
  }

  private <T> T parse(String option, String text, Function<String, T> parser) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw terminal.wrongUse(option + ": " + e.getMessage());
    }
  }
}
