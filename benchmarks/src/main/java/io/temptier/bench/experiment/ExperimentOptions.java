// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.cli.Terminal;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.testbed.DiskSpeed;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** Mixin of the options that all experiments have. */
@Command
public final class ExperimentOptions {
  private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  @Mixin private final SlowDiskOptions slowDisk = new SlowDiskOptions();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "How often each arm is run; medians are shown (default: what the experiment's file says;"
              + " with --quick 1).")
  private @Nullable Integer rounds;

  @Option(
      names = "--quick",
      description =
          "One round, less data, and the settings and arms that the file has for that: shows that"
              + " it works, not how fast.")
  private boolean quick;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "A property of the experiment's workload in place of what its file says, such as"
              + " block=64m. May be given many times.")
  private Map<String, String> changes = new LinkedHashMap<>();

  @Option(
      names = "--arms",
      paramLabel = "NAME",
      split = ",",
      description = {
        "Run these only, of those in the experiment's file or, where TempTier is compared with"
            + " stock Hadoop,",
        "of stock-hdd, stock-mixed, stock-nvme-only, mergerfs, temptier and ideal (default: those"
            + " that answer its question)."
      })
  private List<String> arms = new ArrayList<>();

  @Option(
      names = {"--settings", "--scenario", "--patterns"},
      paramLabel = "NAME",
      split = ",",
      description = "Measure in these only, such as 1/2 of e2 or 1 HDD of e3 (default: all).")
  private List<String> settings = new ArrayList<>();

  @Option(
      names = "--dirs",
      paramLabel = "[TAG]DIR",
      split = ",",
      description = {
        "Measure on these disks as they are, without root, instead of on emulated ones: dirs"
            + " with tags as in temptier.local-dirs, such as [NVME]/nvme0/bench,[DISK]/hdd0/bench.",
        "HDFS lies on the [DISK] ones. A folder is made in each, and removed."
      })
  private List<String> dirs = new ArrayList<>();

  @Option(
      names = "--conf-dir",
      paramLabel = "DIR",
      description =
          "Measure on the cluster of this client configuration as it is, such as $$HADOOP_CONF_DIR:"
              + " jobs with TempTier and without, in turn; its nodes need TempTier installed. Of"
              + " s3a: the store of its core-site.xml.")
  private @Nullable Path confDir;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = {
        "A property of TempTier's, such as -Dtemptier.demotion.high=60%%, for its NodeManager and"
            + " its jobs in the arms",
        "that have it; not with --conf-dir. Of s3a: one of the arm own. May be given many times."
      })
  private Map<String, String> properties = new HashMap<>();

  @Option(
      names = "--slow-readahead",
      paramLabel = "SIZE",
      defaultValue = "1m",
      description =
          "The kernel's readahead on each HDD, which with its requests per second bounds sequential"
              + " reads (default: ${DEFAULT-VALUE}).")
  private String readAhead = "";

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      defaultValue = "4g",
      description =
          "What the node's processes may use of memory, page cache included (default:"
              + " ${DEFAULT-VALUE}).")
  private String memory = "";

  @Option(
      names = "--deadline",
      paramLabel = "SECONDS",
      defaultValue = "1200",
      description = "A job that takes longer is killed and counts as failed (default: 1200).")
  private long deadline;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description =
          "Where to write report.html, report.json and CSV (default: a new folder in"
              + " target/bench).")
  private @Nullable Path report;

  @Option(
      names = "--resume",
      paramLabel = "DIR",
      description = "Continue the run in this folder, by the options it was begun with.")
  private @Nullable Path resume;

  /** Adds an option for each property of a workload: {@code --pass-size} for passSize. */
  void addProperties(CommandSpec command, Map<String, String> properties) {
    properties.forEach(
        (key, value) -> {
          boolean flag = value.equals("false") || value.equals("true");
          String name = "--" + key.replaceAll("(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
          command.addOption(
              OptionSpec.builder(name)
                  .paramLabel("VALUE")
                  .type(String.class)
                  .arity(flag ? "0..1" : "1")
                  .fallbackValue("true")
                  .description(
                      "The workload's "
                          + key
                          + (value.isEmpty() ? "." : ", in place of " + value + "."))
                  .setter(
                      new ISetter() {
                        @Override
                        public <T> T set(T given) {
                          if (given != null) {
                            changes.put(key, String.valueOf(given));
                          }
                          return given;
                        }
                      })
                  .build());
        });
  }

  boolean quick() {
    return quick;
  }

  /** The folder of the run to continue; empty when a new one is to be made. */
  Optional<Path> resume() {
    return Optional.ofNullable(resume).map(dir -> dir.toAbsolutePath().normalize());
  }

  /**
   * The folder of a new run.
   *
   * @param name what it begins with, where the user did not name one
   */
  Path folder(String name) throws IOException {
    return report != null
        ? report.toAbsolutePath().normalize()
        : HadoopRuntime.sourceRoot()
            .orElseGet(() -> Path.of("").toAbsolutePath())
            .resolve("target/bench")
            .resolve(name + "-" + LocalDateTime.now(ZoneId.systemDefault()).format(STAMP));
  }

  /** Reads an experiment's file, with the changes that were asked for. */
  Experiment experiment(Terminal terminal, String label, String file) {
    return terminal.parse(label, file, text -> Experiments.of(label, text, quick, changes));
  }

  /** The plan to measure an experiment by. */
  public Plan plan(Terminal terminal, Experiment whole) {
    int times = rounds != null ? rounds : quick ? 1 : whole.rounds();
    terminal.atLeastOne("--rounds", times);
    terminal.atLeastOne("--deadline", deadline);
    List<Arm> named = Experiments.arms();
    List<Arm> known = named.containsAll(whole.arms()) ? named : whole.arms();
    Experiment chosen =
        whole.only(
            terminal.chosen("--settings", settings, whole.settings(), Setting::name),
            arms.isEmpty() ? whole.arms() : terminal.chosen("--arms", arms, known, Arm::label));
    DiskSpeed speed = slowDisk.speed(terminal);
    long readAheadBytes = terminal.size("--slow-readahead", readAhead);
    long memoryBytes = terminal.size("--memory", memory);
    Site site = site(terminal);
    Plan plan =
        new Plan(
            chosen,
            times,
            List.of(),
            speed,
            readAheadBytes,
            memoryBytes,
            deadline,
            site,
            properties);
    try {
      return whole.workload().fitted(plan);
    } catch (IllegalArgumentException e) {
      throw terminal.wrongUse(String.valueOf(e.getMessage()));
    }
  }

  private Site site(Terminal terminal) {
    if (confDir != null && !dirs.isEmpty()) {
      throw terminal.wrongUse("--dirs and --conf-dir exclude each other");
    }
    if (confDir != null) {
      return Site.cluster(confDir);
    }
    return dirs.isEmpty() ? Site.EMULATED : Site.dirs(terminal, dirs);
  }
}
