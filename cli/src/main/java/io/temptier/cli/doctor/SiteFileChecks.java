// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.hadoop.conf.TierKey;
import io.temptier.tier.text.Finding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** What is wrong with the files themselves. */
final class SiteFileChecks {
  private SiteFileChecks() {}

  static List<Finding> missing(Rollout rollout) {
    List<Finding> findings = new ArrayList<>();
    if (!rollout.file(Rollout.YARN_SITE).isPresent()) {
      findings.add(absent(Rollout.YARN_SITE, "NodeManagers", "YARN"));
    }
    if (!rollout.file(Rollout.MAPRED_SITE).isPresent()) {
      findings.add(absent(Rollout.MAPRED_SITE, "Jobs", "MapReduce"));
    }
    return findings;
  }

  private static Finding absent(String file, String readers, String what) {
    return Troubles.of("file.absent", file, "missing", "the folder", readers, what);
  }

  /** Properties that another line, another file or {@code final} overrides, and that are empty. */
  static List<Finding> conflicts(Rollout rollout) {
    List<Finding> findings = new ArrayList<>();
    for (LocatedProperties file : rollout.files()) {
      for (LocatedProperties.Entry entry : file.entries()) {
        if (matters(entry.key())) {
          conflict(rollout, file, entry).ifPresent(findings::add);
        }
      }
    }
    return findings;
  }

  private static boolean matters(String key) {
    return key.startsWith(TierKey.PREFIX)
        || Arrays.stream(PluginClass.values()).anyMatch(each -> each.key().equals(key))
        || key.startsWith("yarn.nodemanager.disk-health-checker.")
        || key.equals(YarnConfiguration.NM_LOCAL_DIRS)
        || key.equals(YarnConfiguration.YARN_APPLICATION_CLASSPATH)
        || key.equals(MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH);
  }

  private static Optional<Finding> conflict(
      Rollout rollout, LocatedProperties file, LocatedProperties.Entry entry) {
    String key = entry.key();
    String value = entry.value();
    String origin = file.name() + ", line " + entry.line();
    if (value == null) {
      return Optional.of(Troubles.of("property.empty", key, "", origin));
    }
    boolean ofNode = !file.name().equals(Rollout.MAPRED_SITE);
    if (!ofNode && key.startsWith(TierKey.PREFIX)) {
      return Optional.of(Troubles.of("property.mapred", key, value, origin, value));
    }
    Configuration conf = ofNode ? rollout.node() : rollout.job();
    String winner = conf.getRaw(key);
    if (winner == null || winner.trim().equals(value)) {
      return Optional.empty();
    }
    String why = conf.getFinalParameters().contains(key) ? "final" : "read later";
    return Optional.of(
        Troubles.of(
            "property.lost", key, value, origin, rollout.origin(conf, key), winner.trim(), why));
  }
}
