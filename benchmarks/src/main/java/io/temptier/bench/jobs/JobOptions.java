// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jobs;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ExperimentOptions;
import io.temptier.bench.node.EmulationOptions;
import io.temptier.bench.node.NodeProfile;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.Terminal;
import io.temptier.hadoop.conf.TierKey;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.testbed.EmulatedDisk;
import io.temptier.tier.NearestName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Mixin of the options of all experiments that run jobs. */
@Command
public final class JobOptions {
  /** The kernel's readahead on each HDD, unless something else is asked for. */
  public static final String READ_AHEAD = "1m";

  @Mixin private final EmulationOptions node = new EmulationOptions();

  @Option(
      names = "--calibrate",
      description = {
        "First find the requests per second of the HDDs at which about 40 %% of the cores are at"
            + " work while",
        "temporary data is on HDDs, as published; --slow-iops is where to begin. Takes some short"
            + " sorts more."
      })
  private boolean calibrate;

  @Option(
      names = "--arms",
      paramLabel = "NAME",
      split = ",",
      description = {
        "Run these only, of stock-hdd, stock-mixed, stock-nvme-only, mergerfs, temptier and ideal;"
            + " of demotion-off and demotion-on",
        "(default: those that answer the experiment's question)."
      })
  private List<String> arms = new ArrayList<>();

  @Option(
      names = "--settings",
      paramLabel = "NAME",
      split = ",",
      description = {
        "Make these nodes only, of those that the experiment differs in, such as 1/2 of e2 or"
            + " 1 HDD of e3",
        "(default: all)."
      })
  private List<String> settings = new ArrayList<>();

  @Option(
      names = "--dirs",
      paramLabel = "[TAG]DIR",
      split = ",",
      description = {
        "Measure on these disks as they are, without root, instead of on an emulated node: dirs"
            + " with tags as in temptier.local-dirs, such as [NVME]/nvme0/bench,[DISK]/hdd0/bench.",
        "HDFS lies on the [DISK] ones. A folder is made in each, and removed."
      })
  private List<String> dirs = new ArrayList<>();

  @Option(
      names = "--conf-dir",
      paramLabel = "DIR",
      description =
          "Measure on the cluster of this client configuration as it is, such as $$HADOOP_CONF_DIR:"
              + " jobs with TempTier and without, in turn. Its nodes need TempTier installed.")
  private @Nullable Path confDir;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = {
        "A property of TempTier's, such as -Dtemptier.demotion.high=60%%, for its NodeManager and"
            + " its jobs in the arms",
        "that have it. May be given many times. Not with --conf-dir, whose nodes have their own."
      })
  private Map<String, String> tempTier = new HashMap<>();

  @Option(
      names = "--slow-readahead",
      paramLabel = "SIZE",
      defaultValue = READ_AHEAD,
      description =
          "The kernel's readahead on each HDD, which with its requests per second bounds sequential"
              + " reads (default: ${DEFAULT-VALUE}).")
  private String readAhead = "";

  @Option(
      names = "--deadline",
      paramLabel = "SECONDS",
      defaultValue = "1200",
      description = "A job that takes longer is killed and counts as failed (default: 1200).")
  private long deadline;

  /** The published node that was asked for, if any. */
  public Optional<NodeProfile> profile() {
    return node.profile();
  }

  public boolean calibrate() {
    return calibrate;
  }

  /**
   * The plan to measure an experiment by, on the published node if one was asked for.
   *
   * @throws CommandFailure when none of the arms can be run here
   */
  public JobPlan plan(Terminal terminal, ExperimentOptions general, Experiment whole) {
    Experiment experiment = onChosen(terminal, whole);
    int rounds = general.rounds(terminal, experiment.workload().rounds());
    terminal.atLeastOne("--deadline", deadline);
    List<String> skipped = new ArrayList<>();
    Site site = site(terminal, experiment, skipped);
    if (!site.emulated() && (calibrate || node.profile().isPresent())) {
      throw terminal.wrongUse(
          "--profile and --calibrate are about emulated nodes: leave them, or --dirs and"
              + " --conf-dir");
    }
    checkProperties(terminal, site);
    List<Arm> possible = new ArrayList<>();
    for (Arm arm : arms(terminal, experiment)) {
      Optional<String> hindrance = site.hindrance(arm);
      hindrance.ifPresent(why -> skipped.add(arm.label() + ": " + why));
      if (hindrance.isEmpty()) {
        possible.add(arm);
      }
    }
    if (possible.isEmpty()) {
      throw new CommandFailure("no arm is left: " + String.join("; ", skipped));
    }
    Experiment there =
        site.emulated()
            ? node.profile().map(experiment::on).orElse(experiment)
            : onOneNode(terminal, experiment, site);
    return new JobPlan(
        there.only(there.settings(), possible),
        rounds,
        skipped,
        node.speed(terminal),
        terminal.size("--slow-readahead", readAhead),
        node.memoryBytes(terminal),
        deadline,
        site,
        tempTier);
  }

  private void checkProperties(Terminal terminal, Site site) {
    if (site.ownCluster() && !tempTier.isEmpty()) {
      throw terminal.wrongUse(
          "-D and --conf-dir exclude each other: the nodes of that cluster have their own"
              + " properties");
    }
    for (String key : tempTier.keySet()) {
      if (TierKey.find(key).isEmpty()) {
        String near =
            NearestName.of(key, TierKey.names())
                .map(name -> ": did you mean " + name + "?")
                .orElse("");
        throw terminal.wrongUse("-D" + key + ": TempTier has no such property" + near);
      }
    }
  }

  private Site site(Terminal terminal, Experiment experiment, List<String> skipped) {
    if (confDir != null) {
      if (!dirs.isEmpty()) {
        throw terminal.wrongUse("--dirs and --conf-dir exclude each other");
      }
      return Site.cluster(confDir);
    }
    if (!dirs.isEmpty()) {
      return Site.dirs(terminal, dirs);
    }
    try {
      Optional<String> hindrance = EmulatedDisk.hindrance();
      if (hindrance.isEmpty() || !experiment.allTiered()) {
        return Site.EMULATED;
      }
      skipped.add(hindrance.get() + "; in their place are two folders of one disk");
      return Site.folders(HadoopRuntime.workFolder());
    } catch (IOException e) {
      throw new CommandFailure("this machine could not be examined: " + e.getMessage(), e);
    }
  }

  private Experiment onChosen(Terminal terminal, Experiment experiment) {
    List<NodeSetting> chosen =
        terminal.chosen("--settings", settings, experiment.settings(), NodeSetting::name);
    return experiment.only(chosen, experiment.arms());
  }

  private static Experiment onOneNode(Terminal terminal, Experiment experiment, Site site) {
    NodeSetting only = experiment.settings().get(0);
    boolean bounded = only.fits() || (experiment.allTiered() && only.foreignShare() == 0);
    if (experiment.settings().size() > 1 || !bounded) {
      throw terminal.wrongUse(
          experiment.label()
              + " is about nodes that differ in their disks, which only emulated ones do: leave"
              + " --dirs and --conf-dir, or choose e1");
    }
    if (site.ownCluster() && !experiment.workload().anyCluster()) {
      throw terminal.wrongUse(
          experiment.label()
              + " needs a cluster that nobody else uses: leave --conf-dir, or choose terasort's"
              + " e1");
    }
    return experiment.only(
        List.of(only.withHdds(Math.max(1, site.slow().size()))), experiment.arms());
  }

  private List<Arm> arms(Terminal terminal, Experiment experiment) {
    List<Arm> known = Arm.ALL.containsAll(experiment.arms()) ? Arm.ALL : experiment.arms();
    return arms.isEmpty() ? experiment.arms() : terminal.chosen("--arms", arms, known, Arm::label);
  }
}
