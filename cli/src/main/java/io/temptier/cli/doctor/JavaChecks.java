// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.Io;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import java.io.IOException;
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

  /** What TempTier is compiled for. */
  private static final int LEAST = 8;

  /** As a JDK's file {@code release} has it: 1.8.0_392 or 17.0.9. */
  private static final Pattern VERSION = Pattern.compile("JAVA_VERSION=\"(?:1\\.)?(\\d+)");

  private static final String REMEDY = "Point it at a Java of version " + LEAST + " or later.";
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

  private JavaChecks() {}

  /** Of the NodeManager: too old a Java keeps it from starting. */
  static List<Finding> ofNodeManager(Rollout rollout) {
    List<Finding> findings = new ArrayList<>();
    EnvScripts scripts = rollout.scripts();
    scripts
        .ownValue(HOME)
        .flatMap(
            home ->
                judge(
                    rollout,
                    HOME,
                    home,
                    scripts.originOf(HOME),
                    "The NodeManager does not start (UnsupportedClassVersionError)."))
        .ifPresent(findings::add);
    return findings;
  }

  /** Of containers, which go on without TempTier. */
  static List<Finding> ofContainers(Rollout rollout) {
    List<Finding> findings = new ArrayList<>();
    add(rollout, rollout.node(), YarnConfiguration.NM_ADMIN_USER_ENV, findings);
    OF_JOBS.forEach(key -> add(rollout, rollout.job(), key, findings));
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
                        "Containers with it go on without TempTier: stock Hadoop places what they"
                            + " write, on any tier.")
                    .ifPresent(findings::add));
  }

  /** Nothing is said of a path that another machine may have. */
  private static Optional<Finding> judge(
      Rollout rollout, String key, String value, String origin, String consequence) {
    String home = rollout.scripts().resolve(value);
    if (!PluginClass.wanted(rollout) || !home.startsWith("/") || home.contains("$")) {
      return Optional.empty();
    }
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
                    REMEDY))
            : Optional.empty();
      }
      version = version(folder);
    } catch (IOException | InvalidPathException e) {
      version = Optional.empty();
    }
    if (version.isPresent() && version.get() >= LEAST) {
      return Optional.empty();
    }
    String is =
        version
            .map(old -> "It is Java " + old + ", and TempTier needs " + LEAST + ". ")
            .orElse("It has no file \"release\", so its version is not known here. If it is old: ");
    return Optional.of(
        Finding.of(
            version.isPresent() ? Severity.ERROR : Severity.UNKNOWN,
            key,
            value,
            origin,
            is + consequence,
            REMEDY));
  }

  private static Optional<Integer> version(Path home) throws IOException {
    Path release = home.resolve("release");
    if (!Files.isRegularFile(release)) {
      return Optional.empty();
    }
    Matcher version = VERSION.matcher(Io.readString(release, StandardCharsets.ISO_8859_1));
    return version.find() ? Optional.of(Integer.valueOf(version.group(1))) : Optional.empty();
  }
}
