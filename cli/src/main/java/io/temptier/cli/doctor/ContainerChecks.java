// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.hadoop.conf.JarCheck;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.lang.Immutable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Whether the JVMs of containers have TempTier on their class path, which is all it takes to place
 * what they write. Where they have not, stock Hadoop does, and nothing fails.
 */
final class ContainerChecks {
  /** Appended by the NodeManager to the class path of every container, of whatever framework. */
  static final String ALL = YarnConfiguration.NM_ADMIN_USER_ENV + ".CLASSPATH";

  private static final String MAPREDUCE = MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH;
  private static final String TEZ = "tez.cluster.additional.classpath.prefix";
  private static final String WITHOUT =
      " go on without TempTier: stock Hadoop places what they write, on any tier.";

  /** Hadoop makes one of it in each JVM that has the jar. */
  private static final NamedClass HOOK = NamedClass.of(ALL, "io.temptier.hook.HookFileSystem");

  private ContainerChecks() {}

  /** The class paths of containers, by the property that gives each. */
  static List<Finding> classPaths(Rollout rollout) {
    if (!PluginClass.wanted(rollout)) {
      return Immutable.listOf();
    }
    Map<String, List<String>> ours = named(rollout);
    List<Finding> nowhere = ours.containsKey(ALL) ? Immutable.listOf() : nowhere(rollout);
    if (!nowhere.isEmpty()) {
      return nowhere;
    }
    if (ours.isEmpty()) {
      return rollout.ofNode(
          Severity.WARNING, ALL, "Tasks" + WITHOUT, paste("Put the jars on every node. "));
    }
    List<Finding> findings = new ArrayList<>();
    if (!ours.containsKey(ALL) && !ours.containsKey(TEZ)) {
      findings.addAll(
          rollout.ofNode(
              Severity.INFO,
              ALL,
              MAPREDUCE + " gives MapReduce's tasks TempTier's jars. Those of Tez" + WITHOUT,
              paste("If there is Tez: ")));
    }
    ours.forEach((key, entries) -> findings.addAll(search(rollout, key, entries)));
    return findings;
  }

  /** Of {@link #ALL} where it has no jar of ours: what in it is not there. */
  private static List<Finding> nowhere(Rollout rollout) {
    Map<String, String> set = ofAll(rollout);
    List<Finding> findings = new ArrayList<>();
    set.forEach(
        (key, value) -> {
          List<String> entries = resolved(rollout, value.split(":", -1));
          List<String> absent = new ClassPath(entries).absent();
          if (!absent.isEmpty()) {
            findings.add(
                Finding.of(
                    rollout.isHere() ? Severity.ERROR : Severity.UNKNOWN,
                    key,
                    value,
                    rollout.origin(rollout.node(), key),
                    "It leads to nothing on this machine: "
                        + String.join(", ", absent)
                        + ". Containers"
                        + WITHOUT,
                    (rollout.isHere() ? "" : "Run the doctor on a node. ")
                        + paste("Put the jars on every node. ")));
          }
        });
    return findings;
  }

  private static Map<String, String> ofAll(Rollout rollout) {
    return EnvList.of(rollout.node(), YarnConfiguration.NM_ADMIN_USER_ENV, "CLASSPATH");
  }

  private static List<String> resolved(Rollout rollout, String... entries) {
    return Stream.of(entries).map(rollout.scripts()::resolve).collect(Immutable.toList());
  }

  private static List<Finding> search(Rollout rollout, String key, List<String> entries) {
    ClassPath path = new ClassPath(entries);
    boolean ofNode = key.equals(ALL);
    String value = String.join(ofNode ? ":" : ",", entries);
    String origin = rollout.origin(ofNode ? rollout.node() : rollout.job(), key);
    Optional<JarCheck.Trouble> versions = path.jars(JarCheck::versions);
    if (versions.isPresent()) {
      return Immutable.listOf(
          Finding.of(
              Severity.ERROR,
              key,
              value,
              origin,
              versions.get().what() + " Containers" + WITHOUT,
              versions.get().remedy()));
    }
    return ClassPath.Search.of(
            path,
            key,
            value,
            origin,
            rollout.isHere(),
            "",
            "Containers" + WITHOUT,
            "Put TempTier's jars there, on every node.")
        .lookFor(Immutable.listOf(HOOK));
  }

  /** Of each property the entries with TempTier's jars. */
  private static Map<String, List<String>> named(Rollout rollout) {
    Map<String, List<String>> named = new TreeMap<>();
    put(named, ALL, String.join(":", ofAll(rollout).values()).split(":", -1), rollout);
    put(named, TEZ, rollout.job().getTrimmed(TEZ, "").split("[:,]", -1), rollout);
    put(
        named,
        MAPREDUCE,
        Stream.of(MAPREDUCE, YarnConfiguration.YARN_APPLICATION_CLASSPATH)
            .flatMap(key -> Stream.of(rollout.job().getTrimmedStrings(key)))
            .toArray(String[]::new),
        rollout);
    return named;
  }

  private static void put(
      Map<String, List<String>> named, String key, String[] entries, Rollout rollout) {
    List<String> ours =
        resolved(rollout, entries).stream()
            .filter(ContainerChecks::isOurs)
            .distinct()
            .collect(Immutable.toList());
    if (!ours.isEmpty()) {
      named.put(key, ours);
    }
  }

  /** Called by our name, or a folder of others where our jars were put. */
  private static boolean isOurs(String entry) {
    return ClassPath.namesDropInJars(entry)
        || !new ClassPath(Immutable.listOf(entry)).holding(HOOK).isEmpty();
  }

  private static String paste(String first) {
    return first + Paste.into(Rollout.YARN_SITE, ALL, ".:/opt/temptier/lib/*");
  }
}
