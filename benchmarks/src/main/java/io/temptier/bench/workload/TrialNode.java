// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ExperimentRun;
import io.temptier.bench.experiment.Setting;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.node.WorkerNode;
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
    EmulatedDisk ideal,
    Map<String, EmulatedDisk> disks,
    Path home) {
  private static final String IDEAL = "ideal";

  TrialNode {
    disks = new LinkedHashMap<>(disks);
  }

  static TrialNode open(JobPlan plan, Setting setting, ExperimentRun run, Opened opened)
      throws IOException {
    run.progress(setting.name() + ": making the disks");
    Path parent =
        MemoryFolder.ifRoomFor(
            plan.imageBytes(setting), plan.node(setting).memoryBytes(), HadoopRuntime.workFolder());
    Path home = opened.push(TestbedHome.create(parent)).path();
    WorkerNode node = opened.push(WorkerNode.create(plan.node(setting), home));
    for (EmulatedDisk hdd : node.hdds()) {
      hdd.readAhead(plan.plan().experiment().bounds().readAhead());
    }
    Map<String, EmulatedDisk> disks = node.disks();
    EmulatedDisk ideal = node.fast();
    if (plan.needsIdeal(setting)) {
      ideal = opened.push(EmulatedDisk.create(home, IDEAL, plan.idealBytes()));
      disks.put(IDEAL, ideal);
    }
    run.note(setting.name() + ": an HDD", node.hdds().get(0).description());
    run.note(setting.name() + ": the fast disk", node.fast().description());
    if (setting.foreignShare() > 0) {
      node.fast().occupy(setting.foreignShare());
    }
    return new TrialNode(plan, setting, node, ideal, disks, home);
  }

  private List<EmulatedDisk> disks(Arm.Kind kind) {
    return switch (kind) {
      case FAST -> List.of(node.fast());
      case IDEAL -> List.of(ideal);
      case HDD -> node.hdds();
    };
  }

  List<ClusterSpec.Dir> dirs(Arm arm, String folder, Path mount) {
    if (arm.merged()) {
      return List.of(new ClusterSpec.Dir("[REMOTE]", mount.resolve("local")));
    }
    List<ClusterSpec.Dir> dirs = new ArrayList<>();
    for (Arm.Kind kind : arm.disks()) {
      for (EmulatedDisk disk : disks(kind)) {
        dirs.add(
            new ClusterSpec.Dir(
                kind == Arm.Kind.HDD ? "[DISK]" : "[NVME]", disk.mount().resolve(folder)));
      }
    }
    return dirs;
  }
}
