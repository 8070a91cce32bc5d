// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.cli.doctor.Check.Heading;
import io.temptier.cli.doctor.NodeManagerChecks.PluginClass;
import io.temptier.hadoop.conf.TierKey;
import io.temptier.tier.LocalDirsParser;
import io.temptier.tier.NearestName;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Finding;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Checks that Spark's executors load TempTier, and the properties of theirs that matter to it. */
final class SparkChecks {
  static final String DEFAULTS = "spark-defaults.conf";

  private static final String PLUGIN = "io.temptier.spark.TierPlugin";
  private static final String PLUGINS = "spark.plugins";
  private static final String EXECUTORS = "spark.executor.extraClassPath";
  private static final String DRIVER = "spark.driver.extraClassPath";
  private static final String SERVICE = "spark.shuffle.service.enabled";
  private static final String OURS = "spark.temptier.";

  private static final String DIRS = OURS + "local-dirs";
  private static final String FLAG = "(?i)true|false";

  /** Every key of TempTier's that executors read, with its values. */
  private static final Map<String, String> KEYS =
      Immutable.mapOfEntries(
          Immutable.entry(OURS + "enabled", FLAG),
          Immutable.entry(OURS + "driver", FLAG),
          Immutable.entry(OURS + "demotion", FLAG),
          Immutable.entry(DIRS, ".*"));

  /** The file's, without folders. */
  final String name;

  private final TreeMap<String, String> values = new TreeMap<>();

  SparkChecks(Path file) throws IOException {
    name = String.valueOf(file.getFileName());
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      // A pipe would not answer.
      throw new IOException(file + " is no file");
    }
    Properties properties = new Properties();
    try {
      // Decoded like Spark does: bytes that are no UTF-8 become odd letters.
      String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      properties.load(new StringReader(text));
    } catch (IllegalArgumentException e) {
      throw new IOException(file + " is no properties file: " + e.getMessage(), e);
    }
    properties.forEach((key, value) -> values.put(key.toString(), value.toString().trim()));
  }

  List<Check<Rollout>> checks() {
    return Immutable.listOf(
        Check.of(Heading.SPARK, "look for TempTier in executors", this::plugin),
        Check.of(Heading.SPARK, "look for Spark's shuffle service", this::service),
        Check.of(Heading.SPARK, "look at Spark's properties", (unused, found) -> keys(found)));
  }

  boolean hasPlugin() {
    return PluginClass.classes(value(PLUGINS)).contains(PLUGIN);
  }

  private void plugin(Rollout rollout, Consumer<Finding> found) {
    List<String> plugins = PluginClass.classes(value(PLUGINS));
    if (hasPlugin()) {
      // The driver asks for the class as well, and tells executors what it says.
      Stream.of(EXECUTORS, DRIVER).forEach(key -> classPath(rollout, key).ifPresent(found));
      return;
    }
    Optional<String> misspelt =
        plugins.stream()
            .filter(plugin -> NearestName.of(plugin, Immutable.setOf(PLUGIN)).isPresent())
            .findFirst();
    boolean onPath =
        Stream.of(EXECUTORS, DRIVER).anyMatch(key -> ClassPath.namesDropInJars(value(key)));
    if (misspelt.isPresent()) {
      found.accept(finding("spark.misspelt", PLUGINS, misspelt.get(), PLUGIN));
    } else if (onPath || rollout.wanted()) {
      found.accept(finding("spark.none", PLUGINS, PLUGIN));
    }
  }

  private Optional<Finding> classPath(Rollout rollout, String key) {
    if (value(key).isEmpty()) {
      // Every container has what this adds, and the driver may be elsewhere.
      Map<String, String> added =
          Rollout.variable(rollout.node(), YarnConfiguration.NM_ADMIN_USER_ENV, "CLASSPATH");
      return key.equals(EXECUTORS) && ClassPath.namesDropInJars(added.toString())
          ? Optional.empty()
          : Optional.of(finding("spark.jars.none", key, key));
    }
    return new ClassPath(Immutable.listOf(value(key).split(":", -1)))
        .lookFor(
            Immutable.listOf(PLUGIN, "io.temptier.tier.placer.Placer"),
            rollout.isHere(),
            Troubles.of("spark.jars", key, value(key), name, key));
  }

  private void service(Rollout rollout, Consumer<Finding> found) {
    String service = values.getOrDefault("spark.shuffle.service.name", "spark_shuffle");
    String[] services = rollout.node().getTrimmedStrings(YarnConfiguration.NM_AUX_SERVICES);
    if (Boolean.parseBoolean(value(SERVICE)) && !Immutable.listOf(services).contains(service)) {
      found.accept(finding("spark.service", SERVICE, service));
    }
  }

  private void keys(Consumer<Finding> found) {
    LocalDirsParser.parse(DIRS, value(DIRS), name).findings().forEach(found);
    values.forEach(
        (key, value) -> {
          String allowed = KEYS.get(key);
          if (allowed != null && !value.matches(allowed)) {
            String words = allowed.replace("(?i)", "").replace("|", " or ");
            found.accept(finding("spark.value", key, words));
          } else if (allowed == null && key.startsWith(OURS) && ofNode(key).isPresent()) {
            found.accept(finding("spark.yarn", key, ofNode(key).get()));
          } else if (allowed == null && key.startsWith(OURS)) {
            String near =
                NearestName.of(key, KEYS.keySet())
                    .map(known -> "Did you mean " + known + "? ")
                    .orElse("");
            found.accept(finding("spark.property", key, near, String.join(", ", KEYS.keySet())));
          }
        });
  }

  /** The key of the NodeManager's that has the same meaning. */
  private static Optional<TierKey> ofNode(String key) {
    return TierKey.find(key.substring("spark.".length()));
  }

  private String value(String key) {
    return values.getOrDefault(key, "");
  }

  private Finding finding(String trouble, String key, Object... values) {
    return Troubles.of(trouble, key, value(key), name, values);
  }
}
