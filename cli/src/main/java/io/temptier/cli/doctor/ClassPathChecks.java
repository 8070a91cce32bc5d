// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.hadoop.conf.JarCheck;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.lang.Immutable;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Whether the NodeManager and tasks will find every class that their configuration names. */
final class ClassPathChecks {
  private static final String VARIABLE = "HADOOP_CLASSPATH";
  private static final List<String> HOMES =
      Immutable.listOf(
          "HADOOP_HOME", "HADOOP_COMMON_HOME", "HADOOP_YARN_HOME", "HADOOP_MAPRED_HOME");
  private static final List<String> FOLDERS =
      Immutable.listOf("common", "hdfs", "yarn", "mapreduce");
  private static final String NO_START =
      "The NodeManager does not start when a class is missing (ClassNotFoundException).";
  private static final String JARS_FIRST = "Put the jars on every node before its configuration. ";
  private static final String ASK_THE_NODE =
      "Or say what the node has: --class-path \"$(yarn classpath)\", run there.";
  private static final String PUT_INTO_SCRIPT =
      " Put into yarn-env.sh:\nexport HADOOP_CLASSPATH="
          + "\"${HADOOP_CLASSPATH:+$HADOOP_CLASSPATH:}/opt/temptier/lib/*\"";

  private static final String ALL_STOCK = " TempTier stays off: the node behaves as stock Hadoop.";
  private static final String STOCK_SERVES =
      " Hadoop's own shuffle handler serves map outputs, and nothing is demoted.";

  private static final String OF_TASKS = MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH;
  private static final String DEFAULT = MRJobConfig.DEFAULT_MAPREDUCE_APPLICATION_CLASSPATH;

  /** YARN's own way to write a variable, and Windows'. */
  private static final Pattern YARN_VARIABLE = Pattern.compile("\\{\\{(\\w+)\\}\\}|%(\\w+)%");

  private ClassPathChecks() {}

  /**
   * Of the NodeManager: a class that is missing keeps it from starting.
   *
   * @param given its class path, when the operator names it; else what the scripts beside the site
   *     files make of it
   */
  static List<Finding> ofNodeManager(Rollout rollout, Optional<String> given) {
    List<NamedClass> named = NamedClass.ofNodeManager(rollout);
    // Services with a class path of their own look there first.
    List<String> entries = new ArrayList<>();
    rollout
        .node()
        .getValByRegex("^yarn\\.nodemanager\\.aux-services\\..*\\.classpath$")
        .entrySet()
        .stream()
        .filter(property -> rollout.isSet(rollout.node(), property.getKey()))
        .map(property -> Immutable.listOf(property.getValue().split("[:,]", -1)))
        .forEach(entries::addAll);
    EnvScripts scripts = rollout.scripts();
    boolean isGiven = given.isPresent();
    String value = given.orElseGet(scripts::classPath);
    entries.addAll(Immutable.listOf(value.split(":", -1)));
    List<String> ofHadoop = isGiven ? Immutable.listOf() : ofHadoop(scripts);
    entries.addAll(ofHadoop);
    ClassPath path = new ClassPath(entries);
    if (!isGiven && scripts.files().isEmpty()) {
      return withoutScripts(path, named);
    }
    String origin = isGiven ? "--class-path" : String.join(", ", scripts.files());
    List<Finding> unfit = unfit(rollout, path, value, origin);
    return !unfit.isEmpty()
        ? unfit
        : ClassPath.Search.of(
                path,
                VARIABLE,
                value,
                origin,
                isGiven || rollout.isHere(),
                isGiven || !ofHadoop.isEmpty() ? "" : withoutHadoop(scripts),
                NO_START,
                JARS_FIRST + (isGiven ? "Or mend --class-path." : ASK_THE_NODE + PUT_INTO_SCRIPT))
            .lookFor(named);
  }

  /** What keeps jars that are there from working, with each other or with Hadoop's. */
  private static List<Finding> unfit(Rollout rollout, ClassPath path, String value, String origin) {
    return path.jars(
        found -> {
          JarCheck jars = rollout.isHere() ? found.orHadoop(VersionInfo.getVersion()) : found;
          List<Finding> unfit = new ArrayList<>();
          Stream.of(jars.versions(), jars.hadoop())
              .filter(Optional::isPresent)
              .limit(1)
              .forEach(trouble -> unfit.add(unfit(trouble.get(), value, origin, ALL_STOCK)));
          if (unfit.isEmpty() && PluginClass.SHUFFLE.isIn(rollout)) {
            jars.shuffle()
                .ifPresent(trouble -> unfit.add(unfit(trouble, value, origin, STOCK_SERVES)));
          }
          return unfit;
        });
  }

  private static Finding unfit(
      JarCheck.Trouble trouble, String value, String origin, String consequence) {
    return Finding.of(
        Severity.ERROR, VARIABLE, value, origin, trouble.what() + consequence, trouble.remedy());
  }

  /** Without scripts the class path is set somewhere else. */
  private static List<Finding> withoutScripts(ClassPath path, List<NamedClass> named) {
    List<NamedClass> missing = path.missing(named);
    if (missing.isEmpty()) {
      return Immutable.listOf();
    }
    return Immutable.listOf(
        Finding.of(
            Severity.UNKNOWN,
            VARIABLE,
            "",
            "neither hadoop-env.sh nor yarn-env.sh can be read in the folder",
            "The NodeManager's class path is not known here, so it was not asked for "
                + missing.stream().map(NamedClass::toString).collect(Collectors.joining(", "))
                + ". "
                + NO_START,
            "Point --conf-dir at a folder with the scripts, too. " + ASK_THE_NODE));
  }

  /** Why no jar of Hadoop's was found. */
  private static String withoutHadoop(EnvScripts scripts) {
    List<String> set =
        HOMES.stream()
            .flatMap(
                name ->
                    scripts
                        .value(name)
                        .map(Stream::of)
                        .orElseGet(Stream::empty)
                        .map(home -> name + "=" + home))
            .collect(Immutable.toList());
    return set.isEmpty()
        ? "HADOOP_HOME is not set here."
        : "there is no share/hadoop in " + String.join(", ", set) + ".";
  }

  private static List<String> ofHadoop(EnvScripts scripts) {
    return HOMES.stream()
        .flatMap(home -> scripts.value(home).map(Stream::of).orElseGet(Stream::empty))
        .filter(home -> home.startsWith("/"))
        .flatMap(home -> FOLDERS.stream().map(folder -> home + "/share/hadoop/" + folder))
        .filter(jars -> Files.isDirectory(Paths.get(jars)))
        .flatMap(jars -> Stream.of(jars + "/*", jars + "/lib/*"))
        .collect(Immutable.toList());
  }

  /** Of tasks, by the application's class paths of YARN and of MapReduce. */
  static List<Finding> ofTasks(Rollout rollout) {
    Configuration job = rollout.job();
    String value = job.getTrimmed(OF_TASKS, "");
    String jars = value.isEmpty() ? DEFAULT : value;
    List<String> entries =
        Stream.concat(
                Stream.of(job.getTrimmedStrings(YarnConfiguration.YARN_APPLICATION_CLASSPATH)),
                Stream.of(jars.split(",", -1)))
            .map(entry -> YARN_VARIABLE.matcher(entry).replaceAll("\\${$1$2}"))
            .map(rollout.scripts()::resolve)
            .collect(Immutable.toList());
    return ClassPath.Search.of(
            new ClassPath(entries),
            OF_TASKS,
            value,
            rollout.origin(job, OF_TASKS),
            rollout.isHere(),
            entries.stream()
                .filter(entry -> entry.contains("$"))
                .findFirst()
                .map(entry -> entry + " has a variable that is not set here.")
                .orElse(""),
            "Every task that needs one fails with ClassNotFoundException."
                + " yarn.application.classpath was searched, too.",
            "Put the jars on every node before the configuration. "
                + Paste.into(
                    Rollout.MAPRED_SITE,
                    OF_TASKS,
                    ClassPath.namesDropInJars(value) ? jars : jars + ",/opt/temptier/lib/*"))
        .lookFor(NamedClass.ofTasks(rollout));
  }
}
