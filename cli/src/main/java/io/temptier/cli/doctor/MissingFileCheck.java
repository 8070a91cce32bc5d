// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.util.ArrayList;
import java.util.List;

/** Site files that are not there. */
final class MissingFileCheck implements DoctorCheck {
  @Override
  public Topic topic() {
    return Topic.FILES;
  }

  @Override
  public List<Finding> check(Rollout rollout) {
    List<Finding> findings = new ArrayList<>();
    if (rollout.file(Rollout.YARN_SITE).isEmpty()) {
      findings.add(missing(Rollout.YARN_SITE, "NodeManagers take defaults for all of YARN."));
    }
    if (rollout.file(Rollout.MAPRED_SITE).isEmpty()) {
      findings.add(missing(Rollout.MAPRED_SITE, "Jobs take defaults for all of MapReduce."));
    }
    return findings;
  }

  private static Finding missing(String file, String consequence) {
    return new Finding(
        Severity.WARNING,
        file,
        "missing",
        "the folder",
        consequence,
        "Point --conf-dir at the whole configuration folder that is to be rolled out.");
  }
}
