// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Whether the NodeManager will find every class that its configuration names: one that is missing
 * keeps it from starting. Its class path is the one given, else what the scripts beside the site
 * files make of it.
 */
final class NodeClasspathCheck implements DoctorCheck {
  private static final String VARIABLE = "HADOOP_CLASSPATH";
  private static final List<String> HOMES =
      List.of("HADOOP_HOME", "HADOOP_COMMON_HOME", "HADOOP_YARN_HOME", "HADOOP_MAPRED_HOME");
  private static final List<String> FOLDERS = List.of("common", "hdfs", "yarn", "mapreduce");
  private static final String NO_START =
      "The NodeManager does not start when a class is missing (ClassNotFoundException).";
  private static final String JARS_FIRST = "Put the jars on every node before its configuration. ";
  private static final String ASK_THE_NODE =
      "Or say what the node has: --class-path \"$(yarn classpath)\", run there.";

  private final Map<String, String> environment;
  private final Optional<String> given;

  /**
   * A check.
   *
   * @param environment the variables of this shell
   * @param given the NodeManager's class path, when the operator names it
   */
  NodeClasspathCheck(Map<String, String> environment, Optional<String> given) {
    this.environment = environment;
    this.given = given;
  }

  @Override
  public Topic topic() {
    return Topic.NODE_MANAGER;
  }

  @Override
  public List<Finding> check(Rollout rollout) {
    List<NamedClass> named = NamedClass.ofNodeManager(rollout);
    EnvScripts scripts = EnvScripts.read(rollout.confDir(), environment);
    List<String> entries = new ArrayList<>();
    // Services with a class path of their own look there first.
    rollout
        .node()
        .getValByRegex("^yarn\\.nodemanager\\.aux-services\\..*\\.classpath$")
        .values()
        .forEach(value -> entries.addAll(List.of(value.split("[:,]", -1))));
    if (given.isPresent()) {
      entries.addAll(List.of(given.get().split(":", -1)));
      String remedy = JARS_FIRST + "Or mend --class-path.";
      return search(entries, given.get(), "--class-path", true, true, remedy).lookFor(named);
    }
    String classPath = scripts.classPath();
    entries.addAll(List.of(classPath.split(":", -1)));
    List<String> ofHadoop = ofHadoop(scripts);
    entries.addAll(ofHadoop);
    if (scripts.files().isEmpty()) {
      return unknown(new ClassPath(entries), named);
    }
    return search(
            entries,
            classPath,
            String.join(", ", scripts.files()),
            rollout.isHere(),
            !ofHadoop.isEmpty(),
            JARS_FIRST
                + ASK_THE_NODE
                + " Put into yarn-env.sh:\nexport HADOOP_CLASSPATH="
                + "\"${HADOOP_CLASSPATH:+$HADOOP_CLASSPATH:}/opt/temptier/lib/*\"")
        .lookFor(named);
  }

  private static ClassPathSearch search(
      List<String> entries,
      String classPath,
      String origin,
      boolean isNodes,
      boolean isWhole,
      String remedy) {
    return new ClassPathSearch(
        new ClassPath(entries), VARIABLE, classPath, origin, isNodes, isWhole, NO_START, remedy);
  }

  /** Without scripts the class path is set somewhere else. */
  private static List<Finding> unknown(ClassPath path, List<NamedClass> named) {
    var missing = path.missing(named.stream().map(NamedClass::className).toList());
    if (missing.isEmpty()) {
      return List.of();
    }
    return List.of(
        new Finding(
            Severity.UNKNOWN,
            VARIABLE,
            "",
            "neither hadoop-env.sh nor yarn-env.sh can be read in the folder",
            "The NodeManager's class path is not known here, so it was not asked for "
                + named.stream()
                    .filter(each -> missing.contains(each.className()))
                    .map(NamedClass::toString)
                    .collect(Collectors.joining(", "))
                + ". "
                + NO_START,
            "Point --conf-dir at a folder with the scripts, too. " + ASK_THE_NODE));
  }

  private static List<String> ofHadoop(EnvScripts scripts) {
    List<String> entries = new ArrayList<>();
    for (String home : HOMES) {
      Optional<String> path = scripts.value(home).filter(value -> value.startsWith("/"));
      for (String folder : FOLDERS) {
        path.map(value -> value + "/share/hadoop/" + folder)
            .filter(jars -> Files.isDirectory(Path.of(jars)))
            .ifPresent(jars -> entries.addAll(List.of(jars + "/*", jars + "/lib/*")));
      }
    }
    return entries;
  }
}
