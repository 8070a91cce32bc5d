// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.lab.process.Shell;
import io.temptier.lab.process.Template;
import io.temptier.tier.FileKind;
import io.temptier.tier.Medium;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Queries of Hive 4 on Tez in real containers, their results compared with stock Hadoop's. Some
 * minutes and some hundred megabytes of jars, and so with {@code -Dtemptier.hive} only.
 */
@EnabledIfSystemProperty(named = "temptier.hive", matches = ".*")
final class HiveTezIT {
  /** A million rows of 140 bytes. */
  private static final String TABLES =
      """
      create table seeds as
        select pos as s from (select posexplode(split(space(399), ' ')) as (pos, x)) t;
      create table lines as
        select s * 2500 + p.pos as id, md5(cast(s * 2500 + p.pos as string)) as k,
          repeat(md5(cast(s as string)), 3) as v
        from seeds lateral view posexplode(split(space(2499), ' ')) p as pos, x;
      """;

  /** All rows summed, ranked within groups, and joined with each other: one result each. */
  private static final String QUERIES =
      """
      select count(*), sum(crc32(concat(k, v))) from lines;
      select sum(crc32(concat(k, cast(n as string)))) from
        (select k, row_number() over (partition by substr(k, 1, 1) order by k) as n from lines) t;
      select count(*), sum(crc32(concat(a.v, b.k))) from lines a join lines b
        on a.k = md5(cast(b.id as string));
      """;

  /** In what Hive tells of a vertex: running, failed, of all. */
  private static final Pattern FAILED = Pattern.compile("\\(\\+\\d+,-\\d+\\)/\\d+");

  @Test
  void resultsAreStocks() throws Exception {
    Path home = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "hive-");
    ClusterSpec spec = new ClusterSpec(HadoopRuntime.locate(), home).nodeMemoryMiB(5120);
    try (PseudoCluster cluster = PseudoCluster.start(spec)) {
      HiveSite hive = new HiveSite(cluster);
      List<String> expected = rows(hive.run(TABLES + QUERIES));
      assertEquals(3, expected.size(), expected::toString);
      assertTrue(expected.get(0).startsWith("1000000\t"), expected::toString);
      assertTrue(expected.get(2).startsWith("1000000\t"), expected::toString);

      cluster.restartNode(
          0,
          spec.copy()
              .tiered(true)
              .dirs(
                  // Hive's own jar is localized there, too.
                  new ClusterSpec.Dir("[NVME:160m]", Path.of("fast")),
                  new ClusterSpec.Dir("[DISK]", Path.of("slow")))
              .yarn("temptier.reserve", "1m")
              .yarn("temptier.unknown-size", "1m")
              .yarn("temptier.large-size", "4m")
              .yarn("yarn.nodemanager.delete.debug-delay-sec", "3600"));
      List<String> before = applications(cluster);
      HiveSite.Session tiered = hive.run(QUERIES);
      assertEquals(expected, rows(tiered));
      List<String> ran = new ArrayList<>(applications(cluster));
      ran.removeAll(before);
      // Hive opens a second application of a session where the first is long in coming.
      assertFalse(ran.isEmpty(), "nothing ran");
      List<TaskPlacements> placements = new ArrayList<>();
      for (String application : ran) {
        placements.add(TaskPlacements.of(cluster.localDirs(0), application));
      }
      placements.forEach(of -> System.out.println("Hive: " + of.counts()));
      for (Medium medium : List.of(Medium.NVME, Medium.DISK)) {
        assertTrue(
            placements.stream().anyMatch(of -> of.of(FileKind.SPILL, medium) > 0),
            "no spill on " + medium);
      }
      for (FileKind kind : List.of(FileKind.MAP_OUTPUT, FileKind.FETCHED_SEGMENT)) {
        assertTrue(
            placements.stream().anyMatch(of -> !of.of(kind).isEmpty()), "no file of " + kind);
      }
      for (TaskPlacements of : placements) {
        assertEquals(List.of(), of.of(FileKind.OTHER), "files of an unknown kind");
        assertEquals(List.of(), of.notPlaced());
      }
    }
  }

  private static List<String> rows(HiveSite.Session session) {
    assertEquals(0, session.exitCode(), session::lastLines);
    assertTrue(
        session.log().stream().noneMatch(line -> FAILED.matcher(line).find()), session::lastLines);
    return session.rows();
  }

  private static List<String> applications(PseudoCluster cluster) throws Exception {
    return cluster.applications().stream().map(HadoopCluster.Application::id).toList();
  }

  /**
   * Hive on Tez on a cluster of one machine, with its metastore in the client and that one's tables
   * in Derby. Its jars are fetched by Maven. A session has not one property of TempTier's.
   */
  private static final class HiveSite {
    private static final String CLI = "org.apache.hadoop.hive.cli.CliDriver";

    private static final String LOGGING = "log4j-slf4j-impl";

    /** Hive 4.0 is of Java 8; its plans are made and copied by reflection. */
    private static final List<String> OPEN =
        Stream.of(
                "lang net util util.concurrent util.concurrent.atomic util.regex io nio text time"
                    .split(" ", -1))
            .map(name -> "--add-opens=java.base/java." + name + "=ALL-UNNAMED")
            .toList();

    private final PseudoCluster cluster;
    private final Path home;
    private final String classPath;
    private int sessions;

    /**
     * Puts Hive's jars beside the cluster's Hadoop.
     *
     * @throws IOException when Maven cannot fetch them
     */
    HiveSite(PseudoCluster cluster) throws IOException {
      this.cluster = cluster;
      this.home = Files.createDirectories(cluster.spec().home().resolve("hive"));
      Path root =
          HadoopRuntime.sourceRoot().orElseThrow(() -> new IOException("needs a source checkout"));
      Path pom = root.resolve("lab/src/test/hive/pom.xml");
      Path jars = Files.createDirectories(home.resolve("jars"));
      for (Path jar : HadoopRuntime.byMaven(pom, root.resolve("lab/target/hive.classpath"))) {
        if (!jar.getFileName().toString().startsWith(LOGGING)) {
          Files.createSymbolicLink(jars.resolve(jar.getFileName()), jar);
        }
      }
      this.classPath =
          new TezSite(cluster).classPath() + File.pathSeparator + jars.resolve("*").toString();
    }

    /**
     * How statements ended.
     *
     * @param exitCode of the client
     * @param rows what they printed
     * @param log what the client wrote down
     */
    record Session(int exitCode, List<String> rows, List<String> log) {
      String lastLines() {
        return JobResult.lastLines(log);
      }
    }

    /** Runs statements, parted by semicolons, in a session of their own. */
    Session run(String statements) throws IOException, InterruptedException {
      Path file = Files.writeString(home.resolve("session-" + sessions + ".sql"), statements);
      Path log = home.resolve("session-" + sessions++ + ".log");
      List<String> command = Shell.line(CLI, "-f", file);
      conf().forEach((key, value) -> command.addAll(List.of("--hiveconf", key + "=" + value)));
      // The heap is the metastore's, too: the last one said counts.
      List<String> options = Shell.line("-Xmx768m", "-Dderby.system.home=" + home, OPEN);
      ProcessBuilder builder =
          cluster
              .client(command, options, hadoops -> hadoops + File.pathSeparator + classPath)
              .redirectError(log.toFile());
      Process client = builder.start();
      try (var out = client.inputReader(StandardCharsets.UTF_8)) {
        List<String> rows = out.lines().toList();
        return new Session(client.waitFor(), rows, Files.readAllLines(log));
      } finally {
        client.destroyForcibly();
      }
    }

    private Map<String, String> conf() throws IOException {
      String java = String.join(" ", OPEN) + " -Djdk.net.hosts.file=" + cluster.spec().home();
      Map<String, String> known =
          Map.of("home", home.toString(), "java", java + "/hosts", "classPath", classPath);
      return Template.properties(HiveSite.class, "hive-site.properties", known::get);
    }
  }
}
