// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.hadoop.conf.JarCheck;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Whether the JVMs of containers have TempTier on their class path, which is all it takes to place
 * what they write. Where they have not, stock Hadoop does, and nothing fails.
 */
final class ContainerChecks {
  private static final String ADMIN = YarnConfiguration.NM_ADMIN_USER_ENV;

  /** Appended by the NodeManager to the class path of every container, of whatever framework. */
  private static final String ALL = ADMIN + ".CLASSPATH";

  private static final List<String> OF_FRAMEWORKS =
      Immutable.listOf(
          "tez.cluster.additional.classpath.prefix",
          MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH,
          YarnConfiguration.YARN_APPLICATION_CLASSPATH);

  private static final String WITHOUT =
      " go on without TempTier: stock Hadoop places what they write, on any tier.";

  /** Hadoop makes one of it in each JVM that has the jar. */
  private static final List<String> HOOK = Immutable.listOf("io.temptier.hook.HookFileSystem");

  private ContainerChecks() {}

  /** The class paths of containers, by the property that gives each. */
  static List<Finding> classPaths(Rollout rollout) {
    if (!PluginClass.wanted(rollout)) {
      return Immutable.listOf();
    }
    Map<String, String> all = EnvList.of(rollout.node(), ADMIN, "CLASSPATH");
    Map<String, String> paths = new LinkedHashMap<>(all);
    OF_FRAMEWORKS.forEach(key -> paths.put(key, rollout.job().getTrimmed(key, "")));
    boolean any = false;
    List<Finding> findings = new ArrayList<>();
    for (Map.Entry<String, String> each : paths.entrySet()) {
      boolean ofNode = all.containsKey(each.getKey());
      Configuration conf = ofNode ? rollout.node() : rollout.job();
      List<String> entries =
          Stream.of(each.getValue().split("[:,]", -1))
              .map(rollout.scripts()::resolve)
              .collect(Immutable.toList());
      boolean ours = entries.stream().anyMatch(ContainerChecks::isOurs);
      boolean nowhere = ofNode && !new ClassPath(entries).absent().isEmpty();
      if (ours || nowhere) {
        any = true;
        findings.addAll(
            look(
                rollout,
                new ClassPath(entries),
                each.getKey(),
                each.getValue(),
                rollout.origin(conf, each.getKey())));
      }
    }
    return any
        ? findings
        : rollout.ofNode(
            Severity.WARNING,
            ALL,
            "Tasks" + WITHOUT,
            "Put the jars on every node. "
                + Paste.into(Rollout.YARN_SITE, ALL, ".:/opt/temptier/lib/*"));
  }

  private static List<Finding> look(
      Rollout rollout, ClassPath path, String key, String value, String origin) {
    Optional<JarCheck.Trouble> versions = path.jars(JarCheck::versions);
    if (versions.isPresent()) {
      JarCheck.Trouble trouble = versions.get();
      return Immutable.listOf(
          Finding.of(
              Severity.ERROR,
              key,
              value,
              origin,
              trouble.what() + " Containers" + WITHOUT,
              trouble.remedy()));
    }
    return path.lookFor(
        HOOK,
        rollout.isHere(),
        Finding.of(
            Severity.ERROR,
            key,
            value,
            origin,
            "Containers" + WITHOUT,
            "Put TempTier's jars there, on every node."));
  }

  /** Called by our name, or a folder of others where our jars were put. */
  private static boolean isOurs(String entry) {
    return ClassPath.namesDropInJars(entry)
        || new ClassPath(Immutable.listOf(entry)).missing(HOOK).isEmpty();
  }
}
