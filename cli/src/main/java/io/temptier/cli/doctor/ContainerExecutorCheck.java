/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
