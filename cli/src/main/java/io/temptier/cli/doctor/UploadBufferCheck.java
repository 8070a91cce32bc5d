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

import io.temptier.s3a.UploadBufferDirCheck;
import io.temptier.tier.Finding;
import io.temptier.tier.NodeTiers;
import java.util.List;
import java.util.Optional;

/** Where S3A will buffer what it uploads. */
final class UploadBufferCheck implements DoctorCheck {
  @Override
  public Topic topic() {
    return Topic.S3A;
  }

  @Override
  public List<Finding> check(Rollout rollout) {
    Optional<NodeTiers> tiers = rollout.tiers().tiers();
    if (tiers.isEmpty()) {
      return List.of();
    }
    return UploadBufferDirCheck.check(
            rollout.job(), tiers.get().layout(), dir -> rollout.kernel().classify(dir).medium())
        .stream()
        .map(finding -> rollout.located(rollout.job(), finding))
        .toList();
  }
}
