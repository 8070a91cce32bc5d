// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.hadoop.TierKey;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Properties that another line, another file or {@code final} overrides, and that are empty. */
final class ConflictCheck implements DoctorCheck {
  @Override
  public Topic topic() {
    return Topic.FILES;
  }

  @Override
  public List<Finding> check(Rollout rollout) {
    List<Finding> findings = new ArrayList<>();
    for (SiteFile file : rollout.files()) {
      for (SiteFile.Entry entry : file.entries()) {
        if (matters(entry.key())) {
          check(rollout, file, entry, findings);
        }
      }
    }
    return findings;
  }

  private static boolean matters(String key) {
    return key.startsWith(TierKey.PREFIX)
        || SwitchOn.ALL.stream().anyMatch(s -> s.key().equals(key))
        || key.startsWith("yarn.nodemanager.disk-health-checker.")
        || key.equals(YarnConfiguration.NM_LOCAL_DIRS)
        || key.equals(YarnConfiguration.YARN_APPLICATION_CLASSPATH)
        || key.equals(MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH);
  }

  private static void check(
      Rollout rollout, SiteFile file, SiteFile.Entry entry, List<Finding> findings) {
    boolean ofNode = !file.name().equals(Rollout.MAPRED_SITE);
    Configuration conf = ofNode ? rollout.node() : rollout.job();
    if (entry.value() == null) {
      findings.add(
          ignored(file, entry, "It has no <value>, and is ignored.", "Give it one, or remove it."));
      return;
    }
    String key = entry.key();
    if (!ofNode && key.startsWith(TierKey.PREFIX)) {
      findings.add(
          ignored(
              file,
              entry,
              "NodeManagers do not read mapred-site.xml. Tasks follow their NodeManager.",
              Paste.into(Rollout.YARN_SITE, key, entry.value())));
      return;
    }
    String winner = conf.getRaw(key);
    if (winner != null && !winner.trim().equals(entry.value())) {
      boolean isFinal = conf.getFinalParameters().contains(key);
      findings.add(
          ignored(
              file,
              entry,
              "It is ignored: "
                  + rollout.origin(conf, key)
                  + " says "
                  + winner.trim()
                  + (isFinal ? ", and is final." : ", and is read later."),
              "Keep one of the two."));
    }
  }

  private static Finding ignored(
      SiteFile file, SiteFile.Entry entry, String consequence, String remedy) {
    return new Finding(
        Severity.WARNING,
        entry.key(),
        entry.value() == null ? "" : entry.value(),
        file.name() + ", line " + entry.line(),
        consequence,
        remedy);
  }
}
