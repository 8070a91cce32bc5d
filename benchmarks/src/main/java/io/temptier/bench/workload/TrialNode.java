// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ExperimentRun;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.Site;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.node.WorkerNode;
import io.temptier.lab.testbed.Disk;
import io.temptier.lab.testbed.EmulatedDisk;
import io.temptier.lab.testbed.MemoryFolder;
import io.temptier.lab.testbed.Opened;
import io.temptier.lab.testbed.TestbedHome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The node that the trials of a setting are made on.
 *
 * @param ideal the disk that everything fits on; the node's own fast disk where that is large
 *     enough
 */
record TrialNode(
    JobPlan plan,
    Setting setting,
    WorkerNode node,
    Disk ideal,
    Map<String, Disk> disks,
    Path home) {
  private static final String IDEAL = "ideal";

  TrialNode {
    disks = new LinkedHashMap<>(disks);
  }

  /** Makes it: an emulated one, or folders on disks of the user's. */
  static TrialNode open(JobPlan plan, Setting setting, ExperimentRun run, Opened opened)
      throws IOException {
    return plan.site().ownDirs()
        ? onOwnDirs(plan, setting, opened)
        : emulated(plan, setting, run, opened);
  }

  private static TrialNode onOwnDirs(JobPlan plan, Setting setting, Opened opened)
      throws IOException {
    Site dirs = plan.site();
    dirs.check(plan.workload().volume().hdfs(), plan.workload().volume().temp());
    Path home = opened.push(TestbedHome.create(HadoopRuntime.workFolder())).path();
    WorkerNode node = opened.push(WorkerNode.own(dirs.fastPaths(), dirs.slowPaths()));
    return new TrialNode(plan, setting, node, node.fastDisks().get(0), node.disks(), home);
  }

  private static TrialNode emulated(JobPlan plan, Setting setting, ExperimentRun run, Opened opened)
      throws IOException {
    run.progress(setting.name() + ": making the disks");
    Path parent =
        MemoryFolder.ifRoomFor(
            plan.imageBytes(setting), plan.node(setting).memoryBytes(), HadoopRuntime.workFolder());
    Path home = opened.push(TestbedHome.create(parent)).path();
    WorkerNode node = opened.push(WorkerNode.emulated(plan.node(setting), home));
    for (Disk hdd : node.hdds()) {
      hdd.readAhead(plan.plan().experiment().bounds().readAhead());
    }
    Map<String, Disk> disks = node.disks();
    Disk ideal = node.fastDisks().get(0);
    if (plan.needsIdeal(setting)) {
      ideal = opened.push(EmulatedDisk.create(home, IDEAL, plan.idealBytes()));
      disks.put(IDEAL, ideal);
    }
    run.note(setting.name() + ": an HDD", node.hdds().get(0).description());
    run.note(setting.name() + ": the fast disk", node.fastDisks().get(0).description());
    if (setting.foreignShare() > 0) {
      node.fastDisks().get(0).occupy(setting.foreignShare());
    }
    return new TrialNode(plan, setting, node, ideal, disks, home);
  }

  List<Disk> disks(Arm.Kind kind) {
    return switch (kind) {
      case FAST -> node.fastDisks();
      case IDEAL -> List.of(ideal);
      case HDD -> node.hdds();
    };
  }

  /** What TempTier is told of them. On a larger disk of the user's it is told to fill no more. */
  String tag(Arm.Kind kind) {
    if (kind == Arm.Kind.HDD) {
      return "[DISK]";
    }
    boolean cap = kind == Arm.Kind.FAST && plan.site().ownDirs() && !setting.fits();
    return cap ? "[NVME:" + plan.fastBytes(setting) / node.fastDisks().size() + "]" : "[NVME]";
  }

  List<ClusterSpec.Dir> dirs(Arm arm, String folder, Path mount) {
    if (arm.merged()) {
      return List.of(new ClusterSpec.Dir("[REMOTE]", mount.resolve("local")));
    }
    List<ClusterSpec.Dir> dirs = new ArrayList<>();
    for (Arm.Kind kind : arm.disks()) {
      for (Disk disk : disks(kind)) {
        dirs.add(new ClusterSpec.Dir(tag(kind), disk.mount().resolve(folder)));
      }
    }
    return dirs;
  }
}
