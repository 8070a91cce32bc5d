// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.hadoop.conf.JarCheck;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.util.VersionInfo;

/** Whether the NodeManager will find TempTier's classes, and they fit each other and Hadoop's. */
final class ClassPathChecks {
  private static final String VARIABLE = "HADOOP_CLASSPATH";
  private static final String NO_START =
      "The NodeManager does not start when a class is missing (ClassNotFoundException).";
  private static final String ASK_THE_NODE =
      "Or say what the node has: --class-path \"$(yarn classpath)\", run there.";
  private static final String PUT_INTO_SCRIPT =
      " Put into yarn-env.sh:\nexport HADOOP_CLASSPATH="
          + "\"${HADOOP_CLASSPATH:+$HADOOP_CLASSPATH:}/opt/temptier/lib/*\"";

  private static final String ALL_STOCK = " TempTier stays off: the node behaves as stock Hadoop.";
  private static final String STOCK_SERVES =
      " Hadoop's own shuffle handler serves map outputs, and nothing is demoted.";

  private ClassPathChecks() {}

  /**
   * Of the NodeManager: a class that is missing keeps it from starting.
   *
   * @param given its class path, when the operator names it; else what the scripts beside the site
   *     files make of it
   */
  static List<Finding> ofNodeManager(Rollout rollout, Optional<String> given) {
    EnvScripts scripts = rollout.scripts();
    String value = given.orElseGet(scripts::classPath);
    List<String> entries = new ArrayList<>(Immutable.listOf(value.split(":", -1)));
    if (!given.isPresent()) {
      addHadoops(scripts, "HADOOP_COMMON_HOME", "common", entries);
      addHadoops(scripts, "HADOOP_YARN_HOME", "yarn", entries);
    }
    ClassPath path = new ClassPath(entries);
    List<String> classes =
        Arrays.stream(PluginClass.values())
            .filter(each -> each.isIn(rollout))
            .map(PluginClass::className)
            .collect(Immutable.toList());
    if (!given.isPresent() && scripts.files().isEmpty()) {
      return withoutScripts(path.missing(classes));
    }
    String origin = given.isPresent() ? "--class-path" : String.join(", ", scripts.files());
    List<Finding> unfit = unfit(rollout, path, value, origin);
    return !unfit.isEmpty()
        ? unfit
        : path.lookFor(
            classes,
            given.isPresent() || rollout.isHere(),
            Finding.of(
                Severity.ERROR,
                VARIABLE,
                value,
                origin,
                NO_START,
                "Put the jars on every node before its configuration. "
                    + (given.isPresent()
                        ? "Or mend --class-path."
                        : ASK_THE_NODE + PUT_INTO_SCRIPT)));
  }

  private static void addHadoops(
      EnvScripts scripts, String home, String folder, List<String> entries) {
    scripts
        .value(home)
        .map(path -> path + "/share/hadoop/" + folder)
        .ifPresent(jars -> entries.addAll(Immutable.listOf(jars + "/*", jars + "/lib/*")));
  }

  /** What keeps jars that are there from working, with each other or with Hadoop's. */
  private static List<Finding> unfit(Rollout rollout, ClassPath path, String value, String origin) {
    return path.jars(
        found -> {
          JarCheck jars = rollout.isHere() ? found.orHadoop(VersionInfo.getVersion()) : found;
          Stream<Finding> all =
              Stream.of(jars.versions(), jars.hadoop())
                  .flatMap(trouble -> unfit(trouble, value, origin, ALL_STOCK));
          Stream<Finding> serving =
              PluginClass.SHUFFLE.isIn(rollout)
                  ? unfit(jars.shuffle(), value, origin, STOCK_SERVES)
                  : Stream.empty();
          return Stream.concat(all, serving).limit(1).collect(Immutable.toList());
        });
  }

  private static Stream<Finding> unfit(
      Optional<JarCheck.Trouble> trouble, String value, String origin, String consequence) {
    return trouble
        .map(
            found ->
                Stream.of(
                    Finding.of(
                        Severity.ERROR,
                        VARIABLE,
                        value,
                        origin,
                        found.what() + consequence,
                        found.remedy())))
        .orElseGet(Stream::empty);
  }

  /** Without scripts the class path is set somewhere else. */
  private static List<Finding> withoutScripts(List<String> missing) {
    return missing.isEmpty()
        ? Immutable.listOf()
        : Immutable.listOf(
            Finding.of(
                Severity.UNKNOWN,
                VARIABLE,
                "",
                "neither hadoop-env.sh nor yarn-env.sh can be read in the folder",
                "The NodeManager's class path is not known here, so it was not asked for "
                    + String.join(", ", missing)
                    + ". "
                    + NO_START,
                "Point --conf-dir at a folder with the scripts, too. " + ASK_THE_NODE));
  }
}
