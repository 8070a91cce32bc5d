// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.ConfDir;
import io.temptier.cli.JsonFile;
import io.temptier.cli.JsonFile.Json;
import io.temptier.cli.Progress;
import io.temptier.cli.Table;
import io.temptier.cli.Terminal;
import io.temptier.cli.doctor.Check.Heading;
import io.temptier.hadoop.conf.TierConfig;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Reserve;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "doctor",
    description = {
      "Checks the configuration files of a cluster before they are rolled out, offline.",
      "Reads yarn-site.xml, mapred-site.xml and core-site.xml as Hadoop will, and"
          + " spark-defaults.conf as Spark will."
    },
    exitCodeList = {
      "0:ready to be rolled out",
      "1:not ready: some finding is an ERROR, or UNKNOWN: it could not be told",
      "2:wrong use",
      "3:not known to be ready: some check gave no answer"
    })
public final class DoctorCommand implements Callable<Integer> {
  /** Class paths may lie on a file system that hangs. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();

  @Mixin private final ConfDir conf = new ConfDir();

  @Option(
      names = "--class-path",
      paramLabel = "PATH",
      description =
          "The NodeManager's class path, as 'yarn classpath' prints it on a node, in place of what"
              + " hadoop-env.sh and yarn-env.sh in the folder make of it.")
  private @Nullable String classPath;

  @Option(
      names = "--spark-defaults",
      paramLabel = "FILE",
      description =
          "Spark's configuration, such as /etc/spark/conf/spark-defaults.conf; by default the one"
              + " in the folder, if there is one.")
  private @Nullable Path sparkDefaults;

  @Override
  public Integer call() {
    Path confDir = conf.need(terminal).toAbsolutePath().normalize();
    Rollout rollout = Rollout.read(confDir);
    if (rollout.isEmpty()) {
      String files = String.join(", ", Rollout.SITE_FILES);
      throw terminal.wrongUse("--conf-dir " + confDir + " holds none of " + files + ".");
    }
    Optional<SparkChecks> spark = spark(confDir);
    List<Check<Rollout>> checks =
        new ArrayList<>(checks(spark.filter(SparkChecks::hasPlugin).isPresent()));
    spark.ifPresent(defaults -> checks.addAll(defaults.checks()));
    boolean whole = rollout.broken().isEmpty();
    Examination examination;
    try (Progress progress = terminal.progress("looking at " + confDir)) {
      examination = new Examination(progress::say, new Secrets(rollout.job()));
      if (whole) {
        examination.accept(TierConfig.accepted(rollout.node()));
        examination.askEach(checks, rollout, PATIENCE);
      } else {
        examination.add(Heading.FILES, rollout.broken());
        checks.forEach(check -> examination.leaveOut(check, "a file cannot be read"));
      }
    }
    Optional<TierLayout> layout =
        rollout.tiers().tiers().filter(resolved -> whole).map(NodeTiers::layout);
    List<Tier> tiers = layout.map(TierLayout::tiers).orElse(Immutable.listOf());
    List<String> files = new ArrayList<>();
    rollout.files().forEach(file -> files.add(file.name()));
    spark.ifPresent(defaults -> files.add(defaults.name));
    List<String> head = new ArrayList<>();
    head.add(confDir + ": " + String.join(", ", files));
    head.addAll(tiers.isEmpty() ? Immutable.listOf() : table(confDir, tiers));
    ObjectNode about =
        Json.object()
            .put("confDir", confDir.toString())
            .putPOJO("files", files)
            .putPOJO("tiers", tiers.stream().map(DoctorCommand::json).collect(Immutable.toList()));
    String ready =
        layout
            .map(TierLayout::toString)
            .orElse("TempTier is switched off in these files, which is stock behaviour");
    return examination.publish(head, about, ready, json, terminal);
  }

  /** Spark's configuration, as asked for or as found; empty where there is none. */
  private Optional<SparkChecks> spark(Path confDir) {
    Path file = sparkDefaults == null ? confDir.resolve(SparkChecks.DEFAULTS) : sparkDefaults;
    if (sparkDefaults == null && !Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(new SparkChecks(file));
    } catch (IOException e) {
      throw terminal.wrongUse("Spark's configuration cannot be read: " + e);
    }
  }

  private List<Check<Rollout>> checks(boolean byPlugin) {
    return Immutable.listOf(
        Check.of(Heading.FILES, "look for the site files", SiteChecks::absentFiles),
        Check.of(Heading.FILES, "compare the site files", SiteChecks::conflicts),
        Check.of(Heading.TIERS, "make tiers of the local dirs", SiteChecks::tiers),
        Check.of(Heading.TIERS, "compare room with temptier.large-size", SiteChecks::room),
        Check.of(Heading.NODE_MANAGER, "look for TempTier's listener", NodeManagerChecks::listener),
        Check.of(Heading.NODE_MANAGER, "look at the services", NodeManagerChecks::auxServices),
        Check.of(
            Heading.NODE_MANAGER,
            "search the NodeManager's class path",
            (rollout, found) ->
                NodeManagerChecks.classPath(rollout, Optional.ofNullable(classPath), found)),
        Check.of(
            Heading.TASKS,
            "look for TempTier in containers",
            (rollout, found) -> ContainerChecks.classPaths(rollout, byPlugin, found)),
        Check.of(
            Heading.TASKS, "read what containers with an image mount", ContainerChecks::mounts),
        Check.of(
            Heading.S3A,
            "look at S3A's upload buffers",
            (rollout, found) -> SiteChecks.uploadBuffers(rollout, rollout.job(), found)),
        Check.of(Heading.MACHINE, "look for the local dirs", SiteChecks::absentDirs),
        Check.of(Heading.MACHINE, "look at their modes", SiteChecks::writable),
        Check.of(Heading.MACHINE, "look at their owners", SiteChecks::owners));
  }

  private static ObjectNode json(Tier tier) {
    ObjectNode json = Json.object();
    ArrayNode dirs =
        json.put("medium", tier.medium().name())
            .put("reserve", tier.reserve().toString())
            .putArray("dirs");
    for (LocalDir dir : tier.dirs()) {
      ObjectNode each = dirs.addObject().put("path", dir.path().toString());
      if (dir.capped()) {
        each.put("capBytes", dir.capBytes());
      }
      each.put("origin", dir.origin());
    }
    return json;
  }

  private static List<String> table(Path confDir, List<Tier> tiers) {
    Map<LocalDir, Tier> dirs = new LinkedHashMap<>();
    tiers.forEach(tier -> tier.dirs().forEach(dir -> dirs.put(dir, tier)));
    return new Table<Map.Entry<LocalDir, Tier>>()
        .add("TIER", dir -> dir.getValue().medium().toString())
        .add(">CAP", dir -> dir.getKey().capped() ? Sizes.format(dir.getKey().capBytes()) : "-")
        .add(">RESERVE", dir -> reserved(dir.getValue().reserve()))
        // The folder stands above; how Hadoop read the file says nothing.
        .add(
            "DIR (FROM)",
            dir ->
                String.format("%s (%s)", dir.getKey().path(), dir.getKey().origin())
                    .replace(confDir + "/", "")
                    .replace("programmatically via ", ""))
        .lines("  ", dirs.entrySet(), Table.WIDTH);
  }

  private static String reserved(Reserve reserve) {
    return reserve.bytes() > 0
        ? Sizes.format(reserve.bytes())
        : Sizes.formatPercent(reserve.fraction());
  }
}
