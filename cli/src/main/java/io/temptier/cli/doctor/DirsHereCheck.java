// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.LocalDir;
import io.temptier.tier.NodeTiers;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Whether this machine has the dirs: if not, it cannot judge their media. */
final class DirsHereCheck implements DoctorCheck {
  @Override
  public Topic topic() {
    return Topic.MACHINE;
  }

  @Override
  public List<Finding> check(Rollout rollout) {
    List<LocalDir> dirs =
        rollout.tiers().tiers().map(NodeTiers::layout).map(l -> l.dirs()).orElse(List.of());
    List<LocalDir> missing = dirs.stream().filter(dir -> !Files.isDirectory(dir.path())).toList();
    if (missing.isEmpty()) {
      return List.of();
    }
    boolean none = missing.size() == dirs.size();
    return List.of(
        new Finding(
            Severity.INFO,
            YarnConfiguration.NM_LOCAL_DIRS,
            missing.stream().map(dir -> dir.path().toString()).collect(Collectors.joining(",")),
            rollout.origin(rollout.node(), YarnConfiguration.NM_LOCAL_DIRS),
            none
                ? "None of the local dirs is on this machine, so it is not the node: media, sizes"
                    + " and caps were not checked against disks, and dirs without a tag count as"
                    + " DISK."
                : "These dirs are not on this machine. A NodeManager here would make them wherever"
                    + " they fall, on the system disk if a disk is not mounted.",
            none ? "Run the doctor once more on a node." : "Mount what is missing."));
  }
}
