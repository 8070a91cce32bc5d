// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.bench.node.WorkerNode;
import io.temptier.bench.testbed.Disk;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where trials are made.
 *
 * @param plan what is measured
 * @param setting the node's
 * @param node the node
 * @param ideal the disk that everything fits on; the node's own fast disk where that is large
 *     enough
 * @param disks all of them, by name
 * @param home the run's folder
 */
record Stage(
    ExperimentPlan plan,
    Setting setting,
    WorkerNode node,
    Disk ideal,
    Map<String, Disk> disks,
    Path home) {
  Stage {
    disks = new LinkedHashMap<>(disks);
  }

  /** The disks of a kind, the preferred one first. */
  List<? extends Disk> disks(Arm.Kind kind) {
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
}
