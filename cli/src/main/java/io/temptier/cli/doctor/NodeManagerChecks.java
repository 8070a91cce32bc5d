// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.hadoop.conf.JarCheck;
import io.temptier.tier.NearestName;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Quoted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Checks that the NodeManager loads TempTier, finds its classes, and serves map outputs by it. */
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
          "$HADOOP_YARN_HOME/share/hadoop/yarn/lib/*",
          "$HADOOP_MAPRED_HOME/share/hadoop/mapreduce/*");

  private NodeManagerChecks() {}

  /** The classes that switch TempTier on, each with the property that names it. */
  enum PluginClass {
    NODE_MANAGER(
        YarnConfiguration.NM_CONTAINER_STATE_TRANSITION_LISTENERS,
        "io.temptier.hadoop.NodeManagerTiering"),
    SHUFFLE(
        YarnConfiguration.NM_AUX_SERVICES + ".mapreduce_shuffle.class",
        "io.temptier.shuffle.TieredShuffleHandler");

    final String key;
    final String className;

    PluginClass(String key, String className) {
      this.key = key;
      this.className = className;
    }

    boolean isIn(Rollout rollout) {
      return classes(rollout.node().get(key, "")).contains(className);
    }

    static List<String> classes(String value) {
      return Arrays.stream(value.split(",", -1)).map(String::trim).collect(Immutable.toList());
    }

    /** The listed name that means this class but is not spelled like it. */
    Optional<String> misspelt(List<String> listed) {
      return listed.stream()
          .filter(name -> !name.equals(className))
          .filter(
              name ->
                  name.contains("io.temptier.")
                      || NearestName.of(name, Immutable.listOf(className)).isPresent())
          .findFirst();
    }
  }

  static void listener(Rollout rollout, Consumer<Finding> found) {
    PluginClass plugin = PluginClass.NODE_MANAGER;
    String value = rollout.node().getTrimmed(plugin.key, "");
    List<String> listed = PluginClass.classes(value);
    // In this list any other class is somebody else's, unless it is one letter or so off.
    Optional<String> misspelt = plugin.misspelt(listed);
    if (misspelt.isPresent()) {
      Set<String> mended = new LinkedHashSet<>(listed);
      mended.remove(misspelt.get());
      // Commas separate classes; those of others beside ours are kept.
      Arrays.stream(misspelt.get().split(";", -1))
          .filter(name -> misspelt.get().contains(";") && !name.contains("io.temptier."))
          .forEach(name -> mended.add(name.trim()));
      mended.add(plugin.className);
      found.accept(
          rollout.ofNode(
              MISSPELT, plugin.key, misspelt.get(), plugin.className, String.join(",", mended)));
    }
    if (misspelt.isPresent() || listed.contains(plugin.className) || !rollout.wanted()) {
      return;
    }
    boolean inMapred =
        rollout.file(Rollout.MAPRED_SITE).filter(file -> file.has(plugin.key)).isPresent();
    Optional<String> typo =
        rollout.keys().contains(plugin.key)
            ? Optional.empty()
            : NearestName.of(plugin.key, rollout.keys());
    String others = value.isEmpty() ? "" : String.join(",", listed) + ",";
    found.accept(
        rollout.ofNode(
            "listener.none",
            plugin.key,
            inMapred
                ? " The property in mapred-site.xml has no effect: NodeManagers do not read it."
                : "",
            typo.map(key -> "Is " + key + " meant to be this property? ").orElse(""),
            others + plugin.className));
  }

  static void auxServices(Rollout rollout, Consumer<Finding> found) {
    String value = rollout.node().getTrimmed(SERVICES, "");
    if (rollout.node().getBoolean(MANIFEST, false)) {
      String file = rollout.node().getTrimmed(YarnConfiguration.NM_AUX_SERVICES_MANIFEST, "");
      String where = file.isEmpty() ? "its REST interface" : file;
      found.accept(
          rollout.ofNode("services.manifest", MANIFEST, where, PluginClass.SHUFFLE.className));
      return;
    }
    List<String> services = services(rollout);
    Optional<String> invalid =
        services.stream().filter(name -> !name.matches("[A-Za-z_]\\w*")).findFirst();
    if (invalid.isPresent()) {
      Set<String> mended = new LinkedHashSet<>(Arrays.asList(value.split("[\\s,;]+", -1)));
      mended.removeIf(name -> !name.matches("[A-Za-z_]\\w*"));
      mended.add(SHUFFLE);
      found.accept(
          rollout.ofNode(
              "services.name", SERVICES, Quoted.of(invalid.get()), String.join(",", mended)));
      return;
    }
    services.stream()
        .filter(name -> rollout.node().getTrimmed(classKey(name), "").isEmpty())
        .forEach(name -> found.accept(rollout.ofNode("services.unnamed", classKey(name), name)));
    if (services.contains(SHUFFLE)) {
      shuffleHandler(rollout, found);
    } else {
      boolean configured = rollout.isSet(rollout.node(), PluginClass.SHUFFLE.key);
      String trouble = configured ? "services.meant" : "services.none";
      String mended = value.isEmpty() ? SHUFFLE : value + "," + SHUFFLE;
      found.accept(rollout.ofNode(trouble, SERVICES, mended));
    }
  }

  private static List<String> services(Rollout rollout) {
    // Not trimmed: NodeManagers take blanks for a part of names.
    return Immutable.listFrom(rollout.node().getStringCollection(SERVICES));
  }

  private static String classKey(String service) {
    return String.format(YarnConfiguration.NM_AUX_SERVICE_FMT, service);
  }

  private static void shuffleHandler(Rollout rollout, Consumer<Finding> found) {
    PluginClass plugin = PluginClass.SHUFFLE;
    String name = rollout.node().getTrimmed(plugin.key, STOCK_HANDLER);
    if (name.equals(plugin.className)) {
      // Loaded apart from what runs in the NodeManager, it does not hear of applications.
      classPathKey(rollout, SHUFFLE)
          .ifPresent(key -> found.accept(rollout.ofNode("handler.apart", key)));
    } else if (!name.equals(STOCK_HANDLER)) {
      // Somebody else's finds map outputs where YARN's users expect them.
      plugin
          .misspelt(Immutable.listOf(name))
          .map(
              misspelt ->
                  rollout.ofNode(
                      MISSPELT, plugin.key, misspelt, plugin.className, plugin.className))
          .ifPresent(found);
    } else if (rollout.wanted()) {
      found.accept(rollout.ofNode("handler.stocks", plugin.key, plugin.className));
    }
  }

  /** The property that gives a service a class path of its own; empty when none does. */
  private static Optional<String> classPathKey(Rollout rollout, String service) {
    return Stream.of(
            YarnConfiguration.NM_AUX_SERVICES_CLASSPATH,
            YarnConfiguration.NM_AUX_SERVICE_REMOTE_CLASSPATH)
        .map(pattern -> String.format(pattern, service))
        .filter(key -> !rollout.node().getTrimmed(key, "").isEmpty())
        .findFirst();
  }

  /**
   * A class that is missing keeps the NodeManager from starting. What the operator does not give is
   * the class path that the scripts beside the site files make.
   */
  static void classPath(Rollout rollout, Optional<String> given, Consumer<Finding> found) {
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
            .map(each -> each.className)
            .collect(Immutable.toList());
    if (!given.isPresent() && scripts.files.isEmpty()) {
      // The class path is set somewhere else.
      String missing = String.join(", ", path.missing(classes));
      String where = "neither hadoop-env.sh nor yarn-env.sh can be read in the folder";
      if (!missing.isEmpty()) {
        found.accept(Troubles.of("jars.unasked", VARIABLE, "", where, missing));
      }
      return;
    }
    Finding subject =
        given.isPresent()
            ? Troubles.of("jars.given", VARIABLE, value, "--class-path")
            : Troubles.of("jars.node", VARIABLE, value, String.join(", ", scripts.files));
    Optional<Finding> unfit = path.look(loader -> unfit(rollout, JarCheck.of(loader), subject));
    boolean isNodes = given.isPresent() || rollout.isHere();
    (unfit.isPresent() ? unfit : path.lookFor(classes, isNodes, subject)).ifPresent(found);
    if (isNodes && !rollout.node().getBoolean(MANIFEST, false)) {
      others(rollout, path, "The NodeManager's class path", PluginClass.NODE_MANAGER.key)
          .ifPresent(found);
      for (String name : services(rollout)) {
        Optional<String> explicit = classPathKey(rollout, name);
        String where = explicit.orElse("The NodeManager's class path");
        ClassPath its =
            explicit
                .map(key -> new ClassPath(Arrays.asList(rollout.node().get(key, "").split("[:,]"))))
                .orElse(path);
        others(rollout, its, where, classKey(name)).ifPresent(found);
      }
    }
  }

  /** Classes of a property that are neither Hadoop's nor ours, such as Spark's, and missing. */
  private static Optional<Finding> others(
      Rollout rollout, ClassPath path, String where, String key) {
    List<String> others = new ArrayList<>(PluginClass.classes(rollout.node().get(key, "")));
    others.removeIf(name -> name.matches("|org[.]apache[.]hadoop[.].*|.*io[.]temptier[.].*"));
    List<String> missing = path.missing(others);
    String trouble = path.searched() ? "class.lost" : "class.unknown";
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(rollout.ofNode(trouble, key, String.join(", ", missing), where));
  }

  /** Reports why jars that are there do not work, with each other or with Hadoop's. */
  private static Optional<Finding> unfit(Rollout rollout, JarCheck jars, Finding subject) {
    Optional<JarCheck.Trouble> ofAll = jars.versions();
    ofAll = ofAll.isPresent() ? ofAll : jars.hadoop();
    return ofAll.isPresent() || !PluginClass.SHUFFLE.isIn(rollout)
        ? ClassPath.unfit(ofAll, subject, ALL_STOCK)
        : ClassPath.unfit(jars.shuffle(), subject, STOCK_SERVES);
  }
}
