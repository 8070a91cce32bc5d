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
    terminal.atLeastOne("--partitions", partitions);
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
            arm("stock", "org.apache.hadoop.mapred.ShuffleHandler", "#c0504d"),
            arm("temptier", "io.temptier.shuffle.TieredShuffleHandler", "#0e9aa7")),
        terminal.chosen("--scenario", scenarios, List.of(Scenario.values()), Scenario::label),
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
