// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import com.google.auto.value.AutoValue;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.Io;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Whether the Java that NodeManagers and containers are given can load TempTier's classes. */
final class JavaChecks {
  private static final String HOME = "JAVA_HOME";

  /** Of executors first. */
  private static final List<String> OF_SPARK =
      Immutable.listOf("spark.executorEnv.JAVA_HOME", "spark.yarn.appMasterEnv.JAVA_HOME");

  /** As a JDK's file {@code release} has it: 1.8.0_392 or 17.0.9. */
  private static final Pattern VERSION = Pattern.compile("JAVA_VERSION=\"(?:1\\.)?(\\d+)");

  /** A class file of Java 8 has the major version 52. */
  private static final int OFFSET_OF_MAJOR = 44;

  private static final List<String> OF_JOBS =
      Immutable.listOf(
          "mapreduce.map.env",
          "mapreduce.reduce.env",
          MRJobConfig.MAPRED_ADMIN_USER_ENV,
          MRJobConfig.MR_AM_ENV,
          MRJobConfig.MR_AM_ADMIN_USER_ENV,
          "mapred.child.env",
          "tez.am.launch.env",
          "tez.task.launch.env");

  /** The first Spark that needs more than TempTier does. */
  private static final int SPARK_4 = 4;

  private static final Needed OURS = Needed.of("TempTier's classes", least());

  /** The oldest Java that something runs on. */
  @AutoValue
  abstract static class Needed {
    /** What needs it, in the plural. */
    abstract String by();

    abstract int least();

    static Needed of(String by, int least) {
      return new AutoValue_JavaChecks_Needed(by, least);
    }
  }

  private JavaChecks() {}

  /** Of the NodeManager: too old a Java keeps it from starting. */
  static List<Finding> ofNodeManager(Rollout rollout) {
    return ofHome(rollout, OURS, "The NodeManager does not start (UnsupportedClassVersionError).")
        .map(Immutable::listOf)
        .orElse(Immutable.listOf());
  }

  private static Optional<Finding> ofHome(Rollout rollout, Needed needed, String consequence) {
    return rollout
        .scripts()
        .ownValue(HOME)
        .flatMap(
            home ->
                judge(rollout, HOME, home, rollout.scripts().originOf(HOME), needed, consequence));
  }

  /** Of containers, which go on without TempTier. */
  static List<Finding> ofContainers(Rollout rollout) {
    List<Finding> findings = new ArrayList<>();
    add(rollout, rollout.node(), YarnConfiguration.NM_ADMIN_USER_ENV, findings);
    OF_JOBS.forEach(key -> add(rollout, rollout.job(), key, findings));
    return findings;
  }

  /** Of Spark's containers: Spark 4 needs a Java that Hadoop and TempTier do not. */
  static List<Finding> ofSpark(SparkChecks spark, Rollout rollout) {
    boolean is4 = spark.major().filter(major -> major >= SPARK_4).isPresent();
    Needed needed = is4 ? Needed.of("executors of Spark 4", 17) : OURS;
    String consequence =
        is4 ? "No application starts." : "Executors with it go on without TempTier.";
    List<Finding> findings = new ArrayList<>();
    for (String key : OF_SPARK) {
      spark
          .own(key)
          .flatMap(home -> judge(rollout, key, home, spark.origin(), needed, consequence))
          .ifPresent(findings::add);
    }
    if (is4 && !spark.own(OF_SPARK.get(0)).isPresent()) {
      // Containers are given the NodeManager's.
      ofHome(
              rollout,
              needed,
              consequence + " Set " + String.join(" and ", OF_SPARK) + " to another Java.")
          .ifPresent(findings::add);
    }
    return findings;
  }

  private static void add(
      Rollout rollout, Configuration conf, String property, List<Finding> findings) {
    EnvList.of(conf, property, HOME)
        .forEach(
            (key, home) ->
                judge(
                        rollout,
                        key,
                        home,
                        rollout.origin(conf, key),
                        OURS,
                        "Containers with it go on without TempTier: stock Hadoop places what they"
                            + " write, on any tier.")
                    .ifPresent(findings::add));
  }

  /** Nothing is said of a path that another machine may have. */
  private static Optional<Finding> judge(
      Rollout rollout, String key, String value, String origin, Needed needed, String consequence) {
    String home = rollout.scripts().resolve(value);
    if (!PluginClass.wanted(rollout) || !home.startsWith("/") || home.contains("$")) {
      return Optional.empty();
    }
    int least = needed.least();
    Optional<Integer> version;
    try {
      Path folder = Paths.get(home);
      if (!Files.exists(folder.resolve("bin/java"))) {
        return rollout.isHere()
            ? Optional.of(
                Finding.of(
                    Severity.ERROR,
                    key,
                    value,
                    origin,
                    "There is no " + folder.resolve("bin/java") + ": nothing starts with it.",
                    "Point it at a Java of version " + least + " or later."))
            : Optional.empty();
      }
      version = version(folder);
    } catch (IOException | InvalidPathException e) {
      version = Optional.empty();
    }
    if (version.isPresent() && version.get() >= least) {
      return Optional.empty();
    }
    String is =
        version
            .map(old -> "It is Java " + old + ", and " + needed.by() + " need " + least + ". ")
            .orElse(
                "It has no file \"release\", so its version is not known here; "
                    + needed.by()
                    + " need Java "
                    + least
                    + ". If it is older: ");
    return Optional.of(
        Finding.of(
            version.isPresent() ? Severity.ERROR : Severity.UNKNOWN,
            key,
            value,
            origin,
            is + consequence,
            "Point it at a Java of version " + least + " or later."));
  }

  private static Optional<Integer> version(Path home) throws IOException {
    Path release = home.resolve("release");
    if (!Files.isRegularFile(release)) {
      return Optional.empty();
    }
    String text = new String(Files.readAllBytes(release), StandardCharsets.ISO_8859_1);
    Matcher version = VERSION.matcher(text);
    return version.find() ? Optional.of(Integer.valueOf(version.group(1))) : Optional.empty();
  }

  /** The version of Java that TempTier was built for, as the class of the NodeManager says. */
  private static int least() {
    String file = "/" + PluginClass.NODE_MANAGER.className().replace('.', '/') + ".class";
    try (InputStream in = JavaChecks.class.getResourceAsStream(file)) {
      if (in != null) {
        // After four bytes of magic and two of the minor version.
        byte[] head = Io.readNBytes(in, 8);
        return head.length < 8 ? 0 : (((head[6] & 0xff) << 8) | (head[7] & 0xff)) - OFFSET_OF_MAJOR;
      }
    } catch (IOException e) {
      // As without it.
    }
    return 0;
  }
}
