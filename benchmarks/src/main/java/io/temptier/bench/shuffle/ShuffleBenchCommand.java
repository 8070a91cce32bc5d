// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ExperimentCommand;
import io.temptier.bench.node.SlowDiskOptions;
import io.temptier.lab.testbed.DiskSpeed;
import io.temptier.tier.Sizes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
public final class ShuffleBenchCommand extends ExperimentCommand {
  private static final String STOCK = "org.apache.hadoop.mapred.ShuffleHandler";
  private static final int ROUNDS = 3;
  private static final double SECONDS = 8;
  private static final double QUICK_SECONDS = 2;
  private static final double MAX_SECONDS = 600;
  private static final String PASS = "128m";
  private static final String QUICK_PASS = "32m";

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
      names = "--seconds",
      paramLabel = "S",
      description =
          "How long each measurement but all-slow takes, after a quarter of that as warm-up"
              + " (default: 8; with --quick 2).")
  private @Nullable Double seconds;

  @Option(
      names = "--pass-size",
      paramLabel = "BYTES",
      description =
          "How many bytes the slow disk alone is asked for, each once (default: 128m; with --quick"
              + " 32m).")
  private @Nullable String passSize;

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

  @Override
  protected ShufflePlan plan() {
    terminal.atLeastOne("--fetchers", fetchers);
    terminal.atLeastOne("--event-loops", eventLoops);
    terminal.atLeastOne("--partitions", partitions);
    if (!(slowShare > 0 && slowShare < 1)) {
      throw terminal.wrongUse("--slow-share=" + slowShare + " is not between 0 and 1");
    }
    double measured = seconds != null ? seconds : options.quick() ? QUICK_SECONDS : SECONDS;
    if (!(measured > 0 && measured <= MAX_SECONDS)) {
      throw terminal.wrongUse(
          "--seconds=" + measured + " is not between 0 and " + Math.round(MAX_SECONDS));
    }
    String pass = passSize != null ? passSize : options.quick() ? QUICK_PASS : PASS;
    int passMaps =
        ShufflePlan.passMaps(terminal.parse("--pass-size", pass, Sizes::parse), partitions);
    DiskSpeed speed = slowDisk.speed(terminal);
    double warmUp = measured / 4;
    int enough = maps > 0 ? maps : ShufflePlan.enoughMaps(warmUp + measured, partitions, speed);
    return new ShufflePlan(
        List.of(
            arm("stock", STOCK, "#c0504d"),
            arm(handler.equals(STOCK) ? "stock-again" : "temptier", handler, "#0e9aa7")),
        terminal.chosen("--scenario", scenarios, List.of(Scenario.values()), Scenario::label),
        fetchers,
        ShufflePlan.slowFetchers(fetchers, slowShare),
        eventLoops,
        options.rounds(terminal, ROUNDS),
        warmUp,
        measured,
        Math.max(passMaps, enough),
        partitions,
        passMaps,
        speed,
        folder(fastDir),
        folder(slowDir));
  }

  private static Arm arm(String label, String handler, String colour) {
    return Arm.of(label, handler, colour, Map.of(ShufflePlan.HANDLER, handler));
  }

  private static String folder(@Nullable Path dir) {
    return dir == null ? "" : dir.toAbsolutePath().toString();
  }
}
