// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import io.temptier.bench.cluster.Facts;
import io.temptier.bench.cluster.HadoopRuntime;
import io.temptier.bench.testbed.DiskSpeed;
import io.temptier.bench.testbed.SlowDiskOptions;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code bench shuffle} command. */
@Command(
    name = "shuffle",
    description = {
      "Measures shuffle handlers, stock's and ours, under fetches from a fast and a slow disk.",
      "As root the disks are emulated: two ext4 on loop devices, one of them throttled by the"
          + " kernel. Otherwise name real ones with --fast-dir and --slow-dir; without a slow disk"
          + " only the fast one is measured. Takes about six minutes."
    })
public final class ShuffleBenchCommand implements Callable<Integer> {
  private static final String STOCK = "org.apache.hadoop.mapred.ShuffleHandler";
  private static final String STOCK_NAME = "stock";
  private static final double MAX_SECONDS = 600;

  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();
  @Mixin private final SlowDiskOptions slowDisk = new SlowDiskOptions();

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      split = ",",
      description = "Measure these only, of all-fast, mixed and all-slow (default: all of them).")
  private List<String> scenarios = new ArrayList<>();

  @Option(
      names = "--fetchers",
      paramLabel = "N",
      defaultValue = "4",
      description = "Fetchers on the fast disk (default: ${DEFAULT-VALUE}).")
  private int fetchers;

  @Option(
      names = "--slow-share",
      paramLabel = "P",
      description =
          "The share of all fetchers that are on the slow disk, between 0 and 1 (default: 2/3, that"
              + " is two for each on the fast disk).")
  private double slowShare = 2.0 / 3;

  @Option(
      names = "--event-loops",
      paramLabel = "N",
      defaultValue = "4",
      description = "mapreduce.shuffle.max.threads of each handler (default: ${DEFAULT-VALUE}).")
  private int eventLoops;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "How often everything is measured; medians are shown (default: 3).")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "8",
      description =
          "How long each measurement but all-slow takes, after a quarter of that as warm-up"
              + " (default: 8).")
  private double seconds;

  @Option(
      names = "--pass-size",
      paramLabel = "BYTES",
      defaultValue = "128m",
      description =
          "How many bytes the slow disk alone is asked for, each once (default: ${DEFAULT-VALUE}).")
  private String passSize = "";

  @Option(
      names = "--fast-dir",
      paramLabel = "DIR",
      description = "A folder on a fast disk, in place of an emulated one.")
  private @Nullable Path fastDir;

  @Option(
      names = "--slow-dir",
      paramLabel = "DIR",
      description = "A folder on a slow disk, in place of an emulated one.")
  private @Nullable Path slowDir;

  @Option(
      names = "--handler",
      hidden = true,
      defaultValue = "io.temptier.shuffle.TieredShuffleHandler",
      description = "The handler to hold against stock's.")
  private String handler = "";

  @Option(names = "--maps", hidden = true, description = "Map outputs on each disk.")
  private int maps;

  @Option(
      names = "--partitions",
      hidden = true,
      defaultValue = "128",
      description = "Partitions of each.")
  private int partitions;

  /** Called by picocli. */
  public ShuffleBenchCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    try {
      return run(plan(), json.textOf(terminal));
    } catch (IOException e) {
      throw new CommandFailure("bench shuffle could not be run: " + e.getMessage(), e);
    }
  }

  private int run(ShufflePlan plan, PrintWriter out) throws IOException, InterruptedException {
    HadoopRuntime runtime = HadoopRuntime.locate();
    String ours = handler.equals(STOCK) ? "stock-again" : "temptier";
    Map<String, String> handlers = new LinkedHashMap<>();
    handlers.put(STOCK_NAME, STOCK);
    handlers.put(ours, handler);
    Path work = HadoopRuntime.workFolder();
    ShuffleResult result;
    try (Disks disks = Disks.open(plan, work, fastDir, slowDir)) {
      Map<String, String> facts = Facts.gather(runtime, work, terminal.typed());
      ShuffleText.plan(out, plan, handlers, disks.descriptions());
      List<Arm> arms;
      try (Progress progress = terminal.progress("bench shuffle")) {
        arms = new ShuffleRun(plan, runtime, disks, progress::say).run(handlers);
      }
      int cores = Runtime.getRuntime().availableProcessors();
      result =
          new ShuffleResult(
              plan,
              handlers,
              arms,
              Goals.of(arms, STOCK_NAME, ours, cores),
              disks.descriptions(),
              disks.skipped(),
              facts);
    }
    json.write(ShuffleJson.of(result), terminal);
    ShuffleText.result(out, result);
    out.flush();
    return ExitCodes.FINE;
  }

  private ShufflePlan plan() {
    terminal.atLeastOne("--fetchers", fetchers);
    terminal.atLeastOne("--event-loops", eventLoops);
    terminal.atLeastOne("--rounds", rounds);
    terminal.atLeastOne("--partitions", partitions);
    if (!(slowShare > 0 && slowShare < 1)) {
      throw terminal.wrongUse("--slow-share=" + slowShare + " is not between 0 and 1");
    }
    if (!(seconds > 0 && seconds <= MAX_SECONDS)) {
      throw terminal.wrongUse(
          "--seconds=" + seconds + " is not between 0 and " + Math.round(MAX_SECONDS));
    }
    int passMaps =
        ShufflePlan.passMaps(terminal.parse("--pass-size", passSize, Sizes::parse), partitions);
    DiskSpeed speed = slowDisk.speed(terminal);
    Duration measured = Duration.ofMillis(Math.max(1, Math.round(seconds * 1000)));
    Duration warmUp = measured.dividedBy(4);
    return new ShufflePlan(
        terminal.chosen("--scenario", scenarios, List.of(Scenario.values()), Scenario::label),
        fetchers,
        ShufflePlan.slowFetchers(fetchers, slowShare),
        eventLoops,
        rounds,
        warmUp,
        measured,
        Math.max(
            passMaps,
            maps > 0 ? maps : ShufflePlan.enoughMaps(warmUp, measured, partitions, speed)),
        partitions,
        passMaps,
        speed);
  }
}
