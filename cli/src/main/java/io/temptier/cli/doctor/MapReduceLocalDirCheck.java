// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** {@code mapreduce.cluster.local.dir}, which looks as if it mattered. */
final class MapReduceLocalDirCheck implements DoctorCheck {
  @Override
  public Topic topic() {
    return Topic.TASKS;
  }

  @Override
  public List<Finding> check(Rollout rollout) {
    Configuration job = rollout.job();
    String key = MRConfig.LOCAL_DIR;
    if (!rollout.isSet(job, key)) {
      return List.of();
    }
    String value = job.getTrimmed(key, "");
    boolean tagged = value.contains("[");
    return List.of(
        new Finding(
            tagged ? Severity.WARNING : Severity.INFO,
            key,
            value,
            rollout.origin(job, key),
            "YARN gives each task its own value, made from "
                + YarnConfiguration.NM_LOCAL_DIRS
                + ": this one only counts for jobs in one JVM (mapreduce.framework.name=local)."
                + (tagged ? " Those take the tag for part of the name of a folder." : ""),
            tagged
                ? "Tags belong into temptier.local-dirs, in yarn-site.xml; take them out here."
                : "Nothing to do, or take the property out."));
  }
}
