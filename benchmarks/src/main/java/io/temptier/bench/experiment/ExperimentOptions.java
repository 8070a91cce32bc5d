// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.cli.Terminal;
import io.temptier.lab.cluster.HadoopRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Mixin of the options that all experiments have. */
@Command
public final class ExperimentOptions {
  private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

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
          "A property of the experiment's workload, or one of its bounds, in place of what its file"
              + " says, such as block=64m or slowIops=80. May be given many times.")
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
      names = "--settings",
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
      names = "--report",
      paramLabel = "DIR",
      description =
          "Where to write report.html, report.json and trials; of several experiments a folder for"
              + " each (default: a new folder in target/bench).")
  private @Nullable Path report;

  @Option(
      names = "--resume",
      paramLabel = "DIR",
      description =
          "Resume the run that was cut off in this folder: its command again, with this in place of"
              + " --report. Trials that were made are not made again.")
  private @Nullable Path resume;

  boolean resumes() {
    return resume != null;
  }

  /** The folder of all that a call of the command writes. */
  Path folder(Terminal terminal, String name) throws IOException {
    if (resume != null && (report != null || !Files.isDirectory(resume))) {
      throw terminal.wrongUse(
          "--resume="
              + resume
              + (report == null ? " is no folder" : " and --report exclude each other"));
    }
    Path named = resume != null ? resume : report;
    return named != null
        ? named.toAbsolutePath().normalize()
        : HadoopRuntime.sourceRoot()
            .orElseGet(() -> Path.of("").toAbsolutePath())
            .resolve("target/bench")
            .resolve(name + "-" + LocalDateTime.now(ZoneId.systemDefault()).format(STAMP));
  }

  /** Reads an experiment's file, with the changes that were asked for. */
  Experiment experiment(String label, String file) {
    return Experiments.of(label, file, quick, changes);
  }

  /** The plan to measure an experiment by. */
  public Plan plan(Terminal terminal, Experiment whole) {
    int times = rounds != null ? rounds : quick ? 1 : whole.rounds();
    terminal.atLeastOne("--rounds", times);
    List<Arm> named = Experiments.arms();
    List<Arm> known = named.containsAll(whole.arms()) ? named : whole.arms();
    Experiment chosen =
        whole.only(
            terminal.chosen("--settings", settings, whole.settings(), Setting::name),
            arms.isEmpty() ? whole.arms() : terminal.chosen("--arms", arms, known, Arm::label));
    Plan plan = new Plan(chosen.times(times), List.of(), site(terminal), properties);
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
