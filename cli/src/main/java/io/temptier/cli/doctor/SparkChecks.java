// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import com.google.auto.value.AutoValue;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.LocalDirsParser;
import io.temptier.tier.NearestName;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.Io;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
  private static final String OLD_PROTOCOL = "spark.shuffle.useOldFetchProtocol";
  private static final Pattern SERVICE_JAR =
      Pattern.compile("spark-(?:network-yarn_[\\d.]+-)?(\\d)\\.[^/:,]*\\.jar");

  /**
   * Of an archive, a folder or a jar of Spark, such as spark-4.0.1-bin or spark-core_2.13-4.0.1.
   */
  private static final Pattern OF_JARS =
      Pattern.compile("spark-(?:core_[\\d.]+-)?(\\d{1,3})\\.\\d");

  private static final Pattern RELEASE = Pattern.compile("^Spark (\\d{1,3})\\.");
  private static final String OURS = "spark.temptier.";

  /** Every key of TempTier's that executors read. */
  private static final Set<String> KEYS =
      Immutable.setOf(
          OURS + "enabled",
          OURS + "driver",
          OURS + "homes",
          OURS + "demotion",
          OURS + "local-dirs");

  private static final String JARS = "/opt/temptier/lib/*";

  abstract Path file();

  abstract SortedMap<String, String> values();

  static SparkChecks of(Path file, SortedMap<String, String> values) {
    return new AutoValue_SparkChecks(file, values);
  }

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
    return SparkChecks.of(file, values);
  }

  /** Whether executors load TempTier, and find its classes. */
  List<Finding> plugin(Rollout rollout) {
    List<String> plugins =
        Stream.of(value(PLUGINS).split(",", -1))
            .map(String::trim)
            .filter(p -> !p.isEmpty())
            .collect(Immutable.toList());
    boolean onPath = Stream.of(EXECUTORS, DRIVER).anyMatch(key -> namesOurs(value(key)));
    if (!plugins.contains(PLUGIN)) {
      Optional<String> meant =
          plugins.stream()
              .filter(plugin -> NearestName.of(plugin, Immutable.setOf(PLUGIN)).isPresent())
              .findFirst();
      if (meant.isPresent()) {
        return Immutable.listOf(
            finding(
                Severity.ERROR,
                PLUGINS,
                meant.get()
                    + " does not exist: no application will start (ClassNotFoundException).",
                "The class is " + PLUGIN + "."));
      }
      return onPath || PluginClass.wanted(rollout)
          ? Immutable.listOf(
              finding(
                  onPath ? Severity.WARNING : Severity.INFO,
                  PLUGINS,
                  "Spark chooses among the local dirs itself, by a hash of each file's name.",
                  "Add " + PLUGIN + " to " + PLUGINS + ", and " + JARS + " to " + EXECUTORS + "."))
          : Immutable.listOf();
    }
    List<Finding> findings = new ArrayList<>();
    // The driver asks for the class as well, and tells executors what it says.
    for (String key : Immutable.listOf(EXECUTORS, DRIVER)) {
      findings.addAll(classPath(rollout, key));
    }
    return findings;
  }

  private List<Finding> classPath(Rollout rollout, String key) {
    List<String> entries = Immutable.listOf(value(key).split(":", -1));
    String consequence = "No application will start: Spark ends one whose plugin it cannot load.";
    String remedy = "Add " + JARS + " to " + key + ", and put the jars there on every node.";
    if (entries.stream().noneMatch(entry -> !entry.trim().isEmpty())) {
      return Immutable.listOf(
          finding(
              Severity.WARNING,
              key,
              "It has nothing of TempTier. Unless spark.jars or the image brings the jars: "
                  + consequence,
              remedy));
    }
    return ClassPath.Search.of(
            new ClassPath(entries),
            key,
            value(key),
            origin(),
            rollout.isHere(),
            "",
            consequence,
            remedy)
        .lookFor(
            Immutable.listOf(
                NamedClass.of(PLUGINS, PLUGIN),
                NamedClass.of(PLUGINS, "io.temptier.tier.placer.Placer")));
  }

  /** The shuffle service of the NodeManager, which serves what executors leave. */
  List<Finding> service(Rollout rollout) {
    List<String> services =
        Immutable.listOf(rollout.node().getTrimmedStrings(YarnConfiguration.NM_AUX_SERVICES));
    boolean wanted = Boolean.parseBoolean(value(SERVICE));
    String name = values().getOrDefault("spark.shuffle.service.name", "spark_shuffle");
    if (!wanted || services.contains(name)) {
      return wanted ? oldService(rollout, name) : Immutable.listOf();
    }
    return Immutable.listOf(
        finding(
            Severity.ERROR,
            SERVICE,
            "NodeManagers have no service "
                + name
                + ": executors cannot register with it, and no task runs.",
            String.format(
                "Add %s to %s, with the class org.apache.spark.network.yarn.YarnShuffleService"
                    + " and Spark's yarn/spark-*-yarn-shuffle.jar on its class path.",
                name, YarnConfiguration.NM_AUX_SERVICES)));
  }

  /** A service of Spark 2 knows the older way to fetch only; any later one serves any executor. */
  private List<Finding> oldService(Rollout rollout, String name) {
    String key = YarnConfiguration.NM_AUX_SERVICES + "." + name + ".classpath";
    Matcher jar = SERVICE_JAR.matcher(rollout.node().get(key, ""));
    if (!jar.find()
        || Integer.parseInt(jar.group(1)) > 2
        || Boolean.parseBoolean(value(OLD_PROTOCOL))) {
      return Immutable.listOf();
    }
    return Immutable.listOf(
        finding(
            Severity.ERROR,
            SERVICE,
            "NodeManagers run " + jar.group() + ": executors of Spark 3 cannot fetch from it.",
            "Give them the jar of Spark's own version in "
                + key
                + ", or set "
                + OLD_PROTOCOL
                + "=true."));
  }

  /** Keys that say something else than their author may think. */
  List<Finding> keys(Rollout rollout) {
    List<Finding> findings = new ArrayList<>();
    for (String key : values().keySet()) {
      if (key.startsWith(OURS) && !KEYS.contains(key)) {
        String near =
            NearestName.of(key, KEYS).map(meant -> "Did you mean " + meant + "? ").orElse("");
        findings.add(
            finding(
                Severity.WARNING,
                key,
                "TempTier has no such property; it has no effect.",
                String.format(
                    "%sThe properties are %s.",
                    near, String.join(", ", KEYS.stream().sorted().collect(Immutable.toList())))));
      }
    }
    if (value("spark.master").startsWith("yarn")) {
      for (String key : Immutable.listOf("spark.local.dir", OURS + "local-dirs")) {
        if (!value(key).isEmpty()) {
          findings.add(
              finding(
                  Severity.INFO,
                  key,
                  "Executors on YARN use the NodeManager's local dirs, in its tiers; this has no"
                      + " effect on them.",
                  "Tag the dirs in temptier.local-dirs of yarn-site.xml."));
        }
      }
    }
    findings.addAll(unlisted());
    return findings;
  }

  /** Dirs whose tier executors outside YARN would not know, and so leave all files to Spark. */
  private List<Finding> unlisted() {
    String key = OURS + "local-dirs";
    if (value("spark.master").startsWith("yarn") || value(key).isEmpty()) {
      return Immutable.listOf();
    }
    LocalDirsParser.Parsed listed = LocalDirsParser.parse(key, value(key), origin());
    List<Finding> findings = new ArrayList<>(listed.findings());
    for (String dir : value("spark.local.dir").split(",", -1)) {
      Path path = Paths.get(dir.trim()).normalize();
      if (!dir.trim().isEmpty()
          && listed.entries().stream().noneMatch(entry -> path.startsWith(entry.path()))) {
        findings.add(
            finding(
                Severity.WARNING,
                "spark.local.dir",
                key + " has no " + path + ": Spark chooses among all dirs itself.",
                "List it in " + key + ", with its medium, such as [DISK]" + path + "."));
      }
    }
    return findings;
  }

  private static boolean namesOurs(String classPath) {
    return ClassPath.namesDropInJars(classPath);
  }

  private String value(String key) {
    return values().getOrDefault(key, "");
  }

  /** The value of a key, if it has one. */
  Optional<String> own(String key) {
    return Optional.of(value(key)).filter(value -> !value.isEmpty());
  }

  /** Which Spark it is, by the names of its jars, or by what lies beside the file's folder. */
  Optional<Integer> major() {
    String jars = value("spark.yarn.archive") + " " + value("spark.yarn.jars");
    Matcher named = OF_JARS.matcher(jars);
    if (named.find()) {
      return Optional.of(Integer.valueOf(named.group(1)));
    }
    Path release = file().toAbsolutePath().normalize().resolveSibling("../RELEASE").normalize();
    try {
      Matcher released =
          Files.isRegularFile(release) ? RELEASE.matcher(Io.readString(release)) : named;
      return released.find() ? Optional.of(Integer.valueOf(released.group(1))) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  String origin() {
    return String.valueOf(file().getFileName());
  }

  private Finding finding(Severity severity, String key, String consequence, String remedy) {
    return Finding.of(severity, key, value(key), origin(), consequence, remedy);
  }
}
