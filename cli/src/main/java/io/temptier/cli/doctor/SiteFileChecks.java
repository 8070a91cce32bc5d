// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.hadoop.conf.TierKey;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Finding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** What is wrong with the files themselves. */
final class SiteFileChecks {
  private SiteFileChecks() {}

  static List<Finding> missing(Rollout rollout) {
    return Stream.of(Rollout.YARN_SITE, Rollout.MAPRED_SITE)
        .filter(name -> !rollout.file(name).isPresent())
        .map(
            name ->
                Finding.warning(
                    name,
                    "missing",
                    "the folder",
                    name.equals(Rollout.YARN_SITE)
                        ? "NodeManagers take defaults for all of YARN."
                        : "Jobs take defaults for all of MapReduce.",
                    "Point --conf-dir at the whole configuration folder that is to be rolled out."))
        .collect(Immutable.toList());
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
    if (value == null) {
      return ignored(
          file, entry, "It has no <value>, and is ignored.", "Give it one, or remove it.");
    }
    boolean ofNode = !file.name().equals(Rollout.MAPRED_SITE);
    if (!ofNode && key.startsWith(TierKey.PREFIX)) {
      return ignored(
          file,
          entry,
          "NodeManagers do not read mapred-site.xml. Tasks follow their NodeManager.",
          Paste.into(Rollout.YARN_SITE, key, value));
    }
    Configuration conf = ofNode ? rollout.node() : rollout.job();
    String winner = conf.getRaw(key);
    if (winner == null || winner.trim().equals(value)) {
      return Optional.empty();
    }
    boolean isFinal = conf.getFinalParameters().contains(key);
    return ignored(
        file,
        entry,
        String.format(
            "It is ignored: %s says %s, and is %s.",
            rollout.origin(conf, key), winner.trim(), isFinal ? "final" : "read later"),
        "Keep one of the two.");
  }

  private static Optional<Finding> ignored(
      LocatedProperties file, LocatedProperties.Entry entry, String consequence, String remedy) {
    String value = entry.value() == null ? "" : entry.value();
    String origin = file.name() + ", line " + entry.line();
    return Optional.of(Finding.warning(entry.key(), value, origin, consequence, remedy));
  }
}
