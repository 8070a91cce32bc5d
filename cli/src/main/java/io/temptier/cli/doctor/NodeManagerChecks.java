// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.hadoop.conf.JarCheck;
import io.temptier.tier.NearestName;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Finding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Whether the NodeManager loads TempTier, finds its classes, and serves map outputs by it. */
final class NodeManagerChecks {
  private static final String SERVICES = YarnConfiguration.NM_AUX_SERVICES;
  private static final String MANIFEST = YarnConfiguration.NM_AUX_SERVICES_MANIFEST_ENABLED;
  private static final String SHUFFLE = "mapreduce_shuffle";
  private static final String STOCK_HANDLER = "org.apache.hadoop.mapred.ShuffleHandler";

  private static final String MISSPELT = "class.misspelt";

  private static final String VARIABLE = "HADOOP_CLASSPATH";
  private static final String ALL_STOCK = " TempTier stays off: the node behaves as stock Hadoop.";
  private static final String STOCK_SERVES =
      " Hadoop's own shuffle handler serves map outputs, and nothing is demoted.";

  /** Hadoop's own jars, which `yarn` puts on the NodeManager's class path. */
  private static final List<String> HADOOPS =
      Immutable.listOf(
          "$HADOOP_COMMON_HOME/share/hadoop/common/*",
          "$HADOOP_COMMON_HOME/share/hadoop/common/lib/*",
          "$HADOOP_YARN_HOME/share/hadoop/yarn/*",
          "$HADOOP_YARN_HOME/share/hadoop/yarn/lib/*");

  private NodeManagerChecks() {}

  /** Whether the NodeManager will load TempTier. */
  static List<Finding> listener(Rollout rollout) {
    PluginClass ours = PluginClass.NODE_MANAGER;
    String value = rollout.node().getTrimmed(ours.key(), "");
    List<String> listed = PluginClass.classes(value);
    // In this list any other class is somebody else's, unless it is one letter or so off.
    Optional<String> misspelt = ours.misspelt(listed);
    if (listed.contains(ours.className()) || !(misspelt.isPresent() || rollout.wanted())) {
      return Immutable.listOf();
    }
    if (misspelt.isPresent()) {
      String mended = String.join(",", listed).replace(misspelt.get(), ours.className());
      return rollout.ofNode(MISSPELT, ours.key(), misspelt.get(), ours.className(), mended);
    }
    boolean inMapred =
        rollout
            .file(Rollout.MAPRED_SITE)
            .filter(file -> !file.of(ours.key()).isEmpty())
            .isPresent();
    Optional<String> typo =
        rollout.keys().contains(ours.key())
            ? Optional.empty()
            : NearestName.of(ours.key(), rollout.keys());
    String others = value.isEmpty() ? "" : String.join(",", listed) + ",";
    return rollout.ofNode(
        "listener.none",
        ours.key(),
        inMapred
            ? " The property in mapred-site.xml has no effect: NodeManagers do not read it."
            : "",
        typo.map(key -> "Is " + key + " meant to be this property? ").orElse(""),
        others + ours.className());
  }

  /** Whether the NodeManager serves map outputs, and by which handler. */
  static List<Finding> auxServices(Rollout rollout) {
    String value = rollout.node().getTrimmed(SERVICES, "");
    if (rollout.node().getBoolean(MANIFEST, false)) {
      String file = rollout.node().getTrimmed(YarnConfiguration.NM_AUX_SERVICES_MANIFEST, "");
      return rollout.ofNode(
          "services.manifest",
          MANIFEST,
          file.isEmpty() ? "its REST interface" : file,
          PluginClass.SHUFFLE.className());
    }
    if (Immutable.listOf(rollout.node().getTrimmedStrings(SERVICES)).contains(SHUFFLE)) {
      return shuffleHandler(rollout);
    }
    boolean meant = rollout.isSet(rollout.node(), PluginClass.SHUFFLE.key());
    return rollout.ofNode(
        meant ? "services.meant" : "services.none",
        SERVICES,
        value.isEmpty() ? SHUFFLE : value + "," + SHUFFLE);
  }

  private static List<Finding> shuffleHandler(Rollout rollout) {
    PluginClass ours = PluginClass.SHUFFLE;
    String name = rollout.node().getTrimmed(ours.key(), STOCK_HANDLER);
    if (name.equals(ours.className())) {
      return ownClassLoader(rollout);
    }
    if (name.equals(STOCK_HANDLER)) {
      return rollout.wanted()
          ? rollout.ofNode("handler.stocks", ours.key(), ours.className())
          : Immutable.listOf();
    }
    // Somebody else's finds map outputs where YARN's users expect them.
    return ours.misspelt(Immutable.listOf(name))
        .map(it -> rollout.ofNode(MISSPELT, ours.key(), it, ours.className(), ours.className()))
        .orElse(Immutable.listOf());
  }

  /** Loaded apart from what runs in the NodeManager, the handler does not hear of applications. */
  private static List<Finding> ownClassLoader(Rollout rollout) {
    return Stream.of(
            YarnConfiguration.NM_AUX_SERVICES_CLASSPATH,
            YarnConfiguration.NM_AUX_SERVICE_REMOTE_CLASSPATH)
        .map(pattern -> String.format(pattern, SHUFFLE))
        .filter(key -> !rollout.node().getTrimmed(key, "").isEmpty())
        .findFirst()
        .map(key -> rollout.ofNode("handler.apart", key))
        .orElse(Immutable.listOf());
  }

  /**
   * A class that is missing from its class path keeps the NodeManager from starting.
   *
   * @param given its class path, when the operator names it; else what the scripts beside the site
   *     files make of it
   */
  static List<Finding> classPath(Rollout rollout, Optional<String> given) {
    EnvScripts scripts = rollout.scripts();
    String value = given.orElseGet(scripts::classPath);
    List<String> entries = new ArrayList<>(Immutable.listOf(value.split(":", -1)));
    if (!given.isPresent()) {
      HADOOPS.forEach(jars -> entries.add(scripts.resolve(jars)));
    }
    ClassPath path = new ClassPath(entries);
    List<String> classes =
        Arrays.stream(PluginClass.values())
            .filter(each -> each.isIn(rollout))
            .map(PluginClass::className)
            .collect(Immutable.toList());
    if (!given.isPresent() && scripts.files().isEmpty()) {
      // The class path is set somewhere else.
      String missing = String.join(", ", path.missing(classes));
      String where = "neither hadoop-env.sh nor yarn-env.sh can be read in the folder";
      return missing.isEmpty()
          ? Immutable.listOf()
          : Immutable.listOf(Troubles.of("jars.unasked", VARIABLE, "", where, missing));
    }
    Finding as =
        given.isPresent()
            ? Troubles.of("jars.given", VARIABLE, value, "--class-path")
            : Troubles.of("jars.node", VARIABLE, value, String.join(", ", scripts.files()));
    List<Finding> unfit = path.jars(jars -> unfit(rollout, jars, as));
    return unfit.isEmpty()
        ? path.lookFor(classes, given.isPresent() || rollout.isHere(), as)
        : unfit;
  }

  /** What keeps jars that are there from working, with each other or with Hadoop's. */
  private static List<Finding> unfit(Rollout rollout, JarCheck found, Finding as) {
    JarCheck jars = rollout.isHere() ? found.orHadoop(VersionInfo.getVersion()) : found;
    return Stream.of(
            ClassPath.unfit(jars.versions(), as, ALL_STOCK),
            ClassPath.unfit(jars.hadoop(), as, ALL_STOCK),
            ClassPath.unfit(
                PluginClass.SHUFFLE.isIn(rollout) ? jars.shuffle() : Optional.empty(),
                as,
                STOCK_SERVES))
        .flatMap(troubles -> troubles)
        .limit(1)
        .collect(Immutable.toList());
  }

  /** Too old a Java keeps the NodeManager from starting. */
  static List<Finding> java(Rollout rollout) {
    EnvScripts scripts = rollout.scripts();
    String key = ContainerChecks.JAVA_HOME;
    List<Finding> findings = new ArrayList<>();
    scripts
        .ownValue(key)
        .flatMap(
            home -> ContainerChecks.java(rollout, "java.node", key, home, scripts.originOf(key)))
        .ifPresent(findings::add);
    return findings;
  }
}
