// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.Plan;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.Site;
import io.temptier.cli.CommandFailure;
import io.temptier.hadoop.conf.TierKey;
import io.temptier.lab.node.NodeSpec;
import io.temptier.tier.NearestName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A plan whose trials are jobs, and the disks that it needs. */
record JobPlan(Plan plan) {
  /** HDFS and local dirs fill disks unevenly. */
  private static final double UNEVEN = 1.4;

  /** HDFS sets a block's room aside for each file that is being written. */
  private static final int BLOCKS_AHEAD = 10;

  private static final long FILE_SYSTEM_BYTES = 64L << 20;
  private static final long TASK_MEMORY_BYTES = 256L << 20;

  JobWorkload workload() {
    return (JobWorkload) plan.workload();
  }

  Site site() {
    return plan.site();
  }

  /** The node of a setting. Tasks beyond the usual ones bring the memory they need themselves. */
  NodeSpec node(Setting setting) {
    long hdfs = setting.hdfsApart() ? 0 : workload().volume().hdfs();
    long data = (long) ((hdfs + workload().volume().temp()) * UNEVEN);
    int moreTasks = Math.max(0, setting.tasks() - Setting.TASKS);
    long hdds = data + (BLOCKS_AHEAD + moreTasks) * workload().blockBytes(setting);
    return new NodeSpec(
        setting.hdds(),
        plan.slowDisk(),
        hdds / setting.hdds() + FILE_SYSTEM_BYTES,
        fastBytes(setting),
        // In memory, where there is room, HDFS takes what the page cache would.
        plan.experiment().bounds().memory()
            + moreTasks * TASK_MEMORY_BYTES
            + workload().volume().hdfs()
            - hdfs);
  }

  long fastBytes(Setting setting) {
    return (long) (workload().volume().temp() * setting.fastShare()) + FILE_SYSTEM_BYTES;
  }

  /** The size of the disk that everything fits on, where the node's own is too small. */
  long idealBytes() {
    return (long) (workload().volume().temp() * Setting.FITS) + FILE_SYSTEM_BYTES;
  }

  /** Whether a setting needs one more disk, that everything fits on. */
  boolean needsIdeal(Setting setting) {
    return plan.experiment().arms().stream().anyMatch(Arm::ideal)
        && !setting.fits()
        && site().emulated();
  }

  long imageBytes(Setting setting) {
    return node(setting).imageBytes() + (needsIdeal(setting) ? idealBytes() : 0);
  }

  String place(Setting setting) {
    return (site().emulated() ? node(setting).toString() : site().toString())
        + setting.peculiarity();
  }

  /** What of it can be run here: the arms that its site has disks for. */
  Plan fitted() {
    checkProperties();
    List<String> skipped = new ArrayList<>();
    List<Arm> possible = new ArrayList<>();
    for (Arm arm : plan.experiment().arms()) {
      Optional<String> hindrance = site().hindrance(arm);
      hindrance.ifPresent(why -> skipped.add(arm.label() + ": " + why));
      if (hindrance.isEmpty()) {
        possible.add(arm);
      }
    }
    if (possible.isEmpty()) {
      throw new CommandFailure("no arm is left: " + String.join("; ", skipped));
    }
    List<Setting> settings = site().emulated() ? plan.experiment().settings() : List.of(onlyNode());
    for (Setting setting : settings) {
      NodeSpec unused = node(setting);
    }
    return plan.with(plan.experiment().only(settings, possible), skipped);
  }

  private void checkProperties() {
    if (site().ownCluster() && !plan.properties().isEmpty()) {
      throw new IllegalArgumentException(
          "-D and --conf-dir exclude each other: the nodes of that cluster have their own"
              + " properties");
    }
    for (String key : plan.properties().keySet()) {
      if (TierKey.find(key).isEmpty()) {
        String near =
            NearestName.of(key, TierKey.names())
                .map(name -> ": did you mean " + name + "?")
                .orElse("");
        throw new IllegalArgumentException("-D" + key + ": TempTier has no such property" + near);
      }
    }
  }

  private Setting onlyNode() {
    Site site = site();
    String label = plan.label();
    List<Setting> settings = plan.experiment().settings();
    Setting only = settings.get(0);
    // TempTier's own cap bounds a fast disk that is too large.
    boolean capped = plan.experiment().arms().stream().allMatch(Arm::tiered);
    boolean bounded = only.fits() || (capped && only.foreignShare() == 0);
    if (settings.size() > 1 || !bounded) {
      throw new IllegalArgumentException(
          label
              + " is about nodes that differ in their disks, which only emulated ones do: leave"
              + " --dirs and --conf-dir, or choose e1");
    }
    if (site.ownCluster() && !workload().anyCluster()) {
      throw new IllegalArgumentException(
          label + " needs a cluster that nobody else uses: leave --conf-dir, or choose e1");
    }
    return only.withHdds(Math.max(1, site.slow().size()));
  }
}
