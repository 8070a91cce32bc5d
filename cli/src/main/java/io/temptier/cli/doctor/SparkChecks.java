// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import com.google.auto.value.AutoValue;
import io.temptier.tier.NearestName;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Whether Spark's executors load TempTier, and what of their configuration it meets. */
@AutoValue
abstract class SparkChecks {
  static final String DEFAULTS = "spark-defaults.conf";

  private static final String PLUGIN = "io.temptier.spark.TierPlugin";
  private static final String PLUGINS = "spark.plugins";
  private static final String EXECUTORS = "spark.executor.extraClassPath";
  private static final String DRIVER = "spark.driver.extraClassPath";
  private static final String SERVICE = "spark.shuffle.service.enabled";
  private static final String OURS = "spark.temptier.";

  /** Every key of TempTier's that executors read. */
  private static final Set<String> KEYS =
      new TreeSet<>(
          Immutable.setOf(
              OURS + "enabled",
              OURS + "driver",
              OURS + "homes",
              OURS + "demotion",
              OURS + "local-dirs"));

  private static final String JARS = "/opt/temptier/lib/*";

  abstract Path file();

  abstract SortedMap<String, String> values();

  static SparkChecks read(Path file) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      // A pipe would not answer.
      throw new IOException(file + " is no file");
    }
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(reader);
    } catch (IllegalArgumentException e) {
      throw new IOException(file + " is no properties file: " + e.getMessage(), e);
    }
    TreeMap<String, String> values = new TreeMap<>();
    properties.forEach((key, value) -> values.put(key.toString(), value.toString().trim()));
    return new AutoValue_SparkChecks(file, values);
  }

  /** Whether executors load TempTier, and find its classes. */
  List<Finding> plugin(Rollout rollout) {
    List<String> plugins = PluginClass.classes(value(PLUGINS));
    if (plugins.contains(PLUGIN)) {
      // The driver asks for the class as well, and tells executors what it says.
      return Stream.of(EXECUTORS, DRIVER)
          .flatMap(key -> classPath(rollout, key).stream())
          .collect(Immutable.toList());
    }
    Optional<String> meant =
        plugins.stream()
            .filter(plugin -> NearestName.of(plugin, Immutable.setOf(PLUGIN)).isPresent())
            .findFirst();
    if (meant.isPresent()) {
      return finding(
          Severity.ERROR,
          PLUGINS,
          meant.get() + " does not exist: no application will start (ClassNotFoundException).",
          "The class is " + PLUGIN + ".");
    }
    boolean onPath =
        Stream.of(EXECUTORS, DRIVER).anyMatch(key -> ClassPath.namesDropInJars(value(key)));
    return onPath || PluginClass.wanted(rollout)
        ? finding(
            Severity.WARNING,
            PLUGINS,
            "Spark chooses among the local dirs itself, by a hash of each file's name.",
            "Add " + PLUGIN + " to " + PLUGINS + ", and " + JARS + " to " + EXECUTORS + ".")
        : Immutable.listOf();
  }

  private List<Finding> classPath(Rollout rollout, String key) {
    String consequence = "No application will start: Spark ends one whose plugin it cannot load.";
    String remedy = "Add " + JARS + " to " + key + ", and put the jars there on every node.";
    if (value(key).isEmpty()) {
      return finding(
          Severity.WARNING,
          key,
          "It has nothing of TempTier. Unless spark.jars or the image brings the jars: "
              + consequence,
          remedy);
    }
    return new ClassPath(Immutable.listOf(value(key).split(":", -1)))
        .lookFor(
            Immutable.listOf(PLUGIN, "io.temptier.tier.placer.Placer"),
            rollout.isHere(),
            Finding.of(Severity.ERROR, key, value(key), origin(), consequence, remedy));
  }

  /** The shuffle service of the NodeManager, which serves what executors leave. */
  List<Finding> service(Rollout rollout) {
    String name = values().getOrDefault("spark.shuffle.service.name", "spark_shuffle");
    String key = YarnConfiguration.NM_AUX_SERVICES;
    return !Boolean.parseBoolean(value(SERVICE))
            || Immutable.listOf(rollout.node().getTrimmedStrings(key)).contains(name)
        ? Immutable.listOf()
        : finding(
            Severity.ERROR,
            SERVICE,
            "NodeManagers have no service "
                + name
                + ": executors cannot register with it, and no task runs.",
            String.format(
                "Add %s to %s, with the class org.apache.spark.network.yarn.YarnShuffleService"
                    + " and Spark's yarn/spark-*-yarn-shuffle.jar on its class path.",
                name, key));
  }

  /** Keys that are misspelt. */
  List<Finding> keys() {
    List<Finding> findings = new ArrayList<>();
    for (String key : values().keySet()) {
      if (key.startsWith(OURS) && !KEYS.contains(key)) {
        String near =
            NearestName.of(key, KEYS).map(meant -> "Did you mean " + meant + "? ").orElse("");
        findings.addAll(
            finding(
                Severity.WARNING,
                key,
                "TempTier has no such property; it has no effect.",
                near + "The properties are " + String.join(", ", KEYS) + "."));
      }
    }
    return findings;
  }

  private String value(String key) {
    return values().getOrDefault(key, "");
  }

  private String origin() {
    return String.valueOf(file().getFileName());
  }

  private List<Finding> finding(Severity severity, String key, String consequence, String remedy) {
    return Immutable.listOf(Finding.of(severity, key, value(key), origin(), consequence, remedy));
  }
}
