// SPDX-License-Identifier: Apache-2.0
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
