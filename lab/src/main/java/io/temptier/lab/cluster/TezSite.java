// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.lab.process.Shell;
import io.temptier.lab.process.Template;
import io.temptier.lab.tez.RowsClient;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Tez on a cluster, whose nodes and client are one machine: the containers find its jars in a
 * folder there, and Hadoop's own, with TempTier's, by {@code yarn.application.classpath}. A job has
 * not one property of TempTier's.
 */
public final class TezSite {
  private static final String JAVA =
      "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData"
          + " --add-opens=java.base/java.lang=ALL-UNNAMED -Djdk.net.hosts.file=";

  private static final String MODULE = "benchmarks/tez-runtime";
  private static final String COUNTERS = "org.apache.tez.common.counters.";

  private final PseudoCluster cluster;
  private final String classPath;

  /** Puts Tez's jars, as the build resolved them, beside the cluster's Hadoop. */
  public TezSite(PseudoCluster cluster) throws IOException {
    this.cluster = cluster;
    Path jars = Files.createDirectories(cluster.spec().home().resolve("tez"));
    ClusterConf.link(HadoopRuntime.resolved(MODULE, "classpath"), jars);
    // All of the lab, though one package is meant: whoever runs it need not have Tez to name it.
    Path program = HadoopRuntime.origin(RowsClient.class);
    classPath = program + File.pathSeparator + jars.resolve("*");
  }

  String classPath() {
    return classPath;
  }

  /**
   * Ending of a session.
   *
   * @param dags what it printed of each DAG, state first
   * @param counters sums over its DAGs: group, name, value
   */
  public record Session(
      int exitCode,
      String application,
      double seconds,
      List<List<String>> dags,
      Map<String, Map<String, Long>> counters,
      List<String> log) {
    public int failedAttempts() {
      return dags.stream().mapToInt(dag -> Integer.parseInt(dag.get(1))).sum();
    }

    /** Sums the seconds of its DAGs, from each one's submission to its end. */
    public double dagSeconds() {
      return dags.stream().mapToLong(dag -> Long.parseLong(dag.get(3))).sum() / 1e3;
    }

    /** Returns files and bytes like {@link JobResult#placed()}. */
    public Map<String, Long> placed() {
      return JobResult.placed(counters.getOrDefault(COUNTERS + "FileSystemCounter", Map.of()));
    }

    /** A counter of Tez's tasks, 0 when the session never touched it. */
    public long counter(String name) {
      return counters.getOrDefault(COUNTERS + "TaskCounter", Map.of()).getOrDefault(name, 0L);
    }
  }

  /**
   * Runs a session to its end.
   *
   * @param report where its DAGs write their reports, each with its number behind
   */
  public Session run(
      String report, long rows, int dags, long deadlineSeconds, Map<String, String> changes)
      throws IOException, InterruptedException {
    Map<String, String> conf = conf();
    conf.putAll(changes);
    List<String> command = Shell.line(RowsClient.class.getName(), report, rows, dags);
    conf.forEach((key, value) -> command.add(key + "=" + value));
    // In front of Hadoop's, some of which are older; so containers have it.
    ProcessBuilder builder =
        cluster.client(command, List.of(), hadoops -> classPath + File.pathSeparator + hadoops);
    return session(ClientProcess.run(builder, deadlineSeconds, this::kill, heard -> {}));
  }

  /**
   * Kills the application, with which the client ends; a client without an application ends by
   * itself.
   */
  private void kill(Process client, List<String> log) throws IOException, InterruptedException {
    String application = session(new ClientProcess(1, 0, log)).application();
    if (!application.isEmpty()) {
      cluster.kill(application);
      client.waitFor(1, TimeUnit.MINUTES);
    }
  }

  private static Session session(ClientProcess client) {
    String application = "";
    List<List<String>> ended = new ArrayList<>();
    Map<String, Map<String, Long>> counters = new HashMap<>();
    for (String line : client.log()) {
      List<String> fields = List.of(line.split("\t", -1));
      if (fields.get(0).equals(RowsClient.SESSION)) {
        application = fields.get(1);
      } else if (fields.get(0).equals(RowsClient.DAG_ENDED)) {
        ended.add(fields.subList(1, fields.size()));
      } else if (fields.get(0).equals(RowsClient.COUNTER)) {
        counters
            .computeIfAbsent(fields.get(1), group -> new HashMap<>())
            .merge(fields.get(2), Long.parseLong(fields.get(3)), Long::sum);
      }
    }
    return new Session(
        client.exitCode(), application, client.seconds(), ended, counters, client.log());
  }

  private Map<String, String> conf() throws IOException {
    String java = JAVA + cluster.spec().home().resolve("hosts");
    Map<String, String> values = Map.of("java", java, "classPath", classPath);
    return Template.properties(TezSite.class, "tez-site.properties", values::get);
  }
}
