// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.Finding;
import java.util.List;

/** What TempTier itself will say when the NodeManager starts. */
final class TiersCheck implements DoctorCheck {
  @Override
  public Topic topic() {
    return Topic.TIERS;
  }

  @Override
  public List<Finding> check(Rollout rollout) {
    return rollout.tiers().findings().stream()
        .map(finding -> rollout.located(rollout.node(), finding))
        .toList();
  }
}
