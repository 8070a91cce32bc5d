// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.lab.process.Shell;
import io.temptier.lab.process.Template;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Hive on Tez on a cluster of one machine, with its metastore in the client and that one's tables
 * in Derby. Its jars are fetched by Maven. A session has not one property of TempTier's.
 */
final class HiveSite {
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
