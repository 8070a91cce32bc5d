// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** What running tasks as other users means for TempTier. */
final class ContainerExecutorCheck implements DoctorCheck {
  @Override
  public Topic topic() {
    return Topic.NODE_MANAGER;
  }

  @Override
  public List<Finding> check(Rollout rollout) {
    Configuration node = rollout.node();
    String key = YarnConfiguration.NM_CONTAINER_EXECUTOR;
    String executor = node.getTrimmed(key, "");
    if (!executor.endsWith(".LinuxContainerExecutor")) {
      return List.of();
    }
    return List.of(
        new Finding(
            Severity.INFO,
            key,
            executor,
            rollout.origin(node, key),
            "Tasks run as the users who submit them. They share the tiers through the folder"
                + " .temptier/claims of each local dir, which anybody may write to and nobody may"
                + " clear, like /tmp (mode 1777). Their map outputs are theirs, so that the"
                + " NodeManager may not demote them: once a fast tier is full, new files go to the"
                + " next.",
            "Nothing to do. If a hardening script resets modes under the local dirs, leave out"
                + " .temptier."));
  }
}
