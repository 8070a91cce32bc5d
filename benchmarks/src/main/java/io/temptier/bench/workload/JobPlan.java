// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.Plan;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.workload.JobWorkload.Volume;
import io.temptier.cli.CommandFailure;
import io.temptier.lab.node.NodeSpec;
import io.temptier.lab.testbed.MergedMount;
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

  /** The node of a setting. Tasks beyond the usual ones bring the memory they need themselves. */
  NodeSpec node(Setting setting) {
    Volume volume = workload().volume();
    long data = (long) ((volume.hdfs() + volume.temp()) * UNEVEN);
    int moreTasks = Math.max(0, setting.tasks() - Setting.TASKS);
    long hdds = data + (BLOCKS_AHEAD + moreTasks) * workload().blockBytes(setting);
    return new NodeSpec(
        setting.hdds(),
        plan.slowDisk(),
        hdds / setting.hdds() + FILE_SYSTEM_BYTES,
        fastBytes(setting),
        plan.experiment().bounds().memory() + moreTasks * TASK_MEMORY_BYTES);
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
    return plan.experiment().arms().stream().anyMatch(Arm::ideal) && !setting.fits();
  }

  long imageBytes(Setting setting) {
    return node(setting).imageBytes() + (needsIdeal(setting) ? idealBytes() : 0);
  }

  String place(Setting setting) {
    return plan.confDir()
        .map(dir -> "the cluster of " + dir)
        .orElseGet(() -> node(setting) + setting.peculiarity());
  }

  /** What of it can be run here: the arms that there are disks for. */
  Plan fitted() {
    List<String> skipped = new ArrayList<>();
    List<Arm> possible = new ArrayList<>();
    for (Arm arm : plan.experiment().arms()) {
      Optional<String> hindrance = hindrance(arm);
      hindrance.ifPresent(why -> skipped.add(arm.label() + ": " + why));
      if (hindrance.isEmpty()) {
        possible.add(arm);
      }
    }
    if (possible.isEmpty()) {
      throw new CommandFailure("no arm is left: " + String.join("; ", skipped));
    }
    List<Setting> settings = plan.experiment().settings();
    if (plan.confDir().isPresent()) {
      checkCluster(settings);
    }
    for (Setting setting : settings) {
      NodeSpec unused = node(setting);
    }
    return plan.with(plan.experiment().only(settings, possible), skipped);
  }

  private Optional<String> hindrance(Arm arm) {
    if (plan.confDir().isEmpty()) {
      return arm.merged() ? MergedMount.hindrance() : Optional.empty();
    }
    return arm.disks().equals(List.of(Arm.Kind.FAST, Arm.Kind.HDD))
            && !arm.merged()
            && !arm.asUser()
            && arm.properties().isEmpty()
        ? Optional.empty()
        : Optional.of("needs NodeManagers that are set up otherwise; these stay as they are");
  }

  private void checkCluster(List<Setting> settings) {
    if (settings.size() > 1 || !settings.get(0).fits()) {
      throw new IllegalArgumentException(
          plan.label()
              + " is about nodes that differ in their disks, which only emulated ones do: leave"
              + " --conf-dir, or choose e1");
    }
    if (!workload().anyCluster()) {
      throw new IllegalArgumentException(
          plan.label() + " needs a cluster that nobody else uses: leave --conf-dir, or choose e1");
    }
  }
}
