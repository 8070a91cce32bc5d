// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.temptier.cli.main.Main;
import io.temptier.fixtures.Eventually;
import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.process.Shell;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Help.Ansi;

/** Asks of a cluster, after a job that spilled, what its operator would. */
final class Operator {
  private static final String HISTORIES = "/tmp/hadoop-yarn/staging/history";
  private static final String EMPTY = "job_1_0001-1700000000000-ann-empty.jhist";

  /** Of all bytes. One file is up to 9 % of them in these sorts, and which fit is a race. */
  private static final double TOLERANCE = 0.20;

  private final PseudoCluster cluster;

  Operator(PseudoCluster cluster) {
    this.cluster = cluster;
  }

  /** The view of the cluster, the job's history on it, and on its node once it has ended. */
  void seesJob(JobResult job) throws IOException, InterruptedException {
    JsonNode status = json("status", "--rm", cluster.resourceManagerUrl(), "--timeout", "60s");
    JsonNode node = nodeOf(status);
    assertEquals("ACTIVE", node.path("mode").asText(), status.toString());
    assertTrue(node.at("/node/BytesSpilledDown").asLong() > 0, status.toString());

    String application = job.jobId().replace("job_", "application_");
    JsonNode history = historyOf(application);
    assertEquals(System.getProperty("user.name"), history.path("user").asText());
    assertTrue(history.path("bytesSpilled").asLong() > 0, history.toString());
    assertTrue(history.path("containers").asLong() > 0, history.toString());
    assertTrue(history.at("/refused/NVME").fieldNames().hasNext(), "why it spilled: " + history);

    // The node writes it down some seconds after the application has left it.
    List<String> explain = new ArrayList<>(List.of("explain", application));
    cluster.localDirs(0).forEach(dir -> explain.addAll(List.of("--dir", dir.toString())));
    JsonNode explained = await(explain.toArray(String[]::new), "bytesSpilled");
    assertTrue(
        explained.path("bytesSpilled").asLong() >= history.path("bytesSpilled").asLong(),
        explained + " after " + history);
  }

  /** The plan from what the history server keeps in HDFS, beside a history that is empty. */
  void plans(Path log) throws IOException, InterruptedException {
    cluster.fs("-touchz", HISTORIES + "/" + EMPTY);
    // The class path of tests has no client of HDFS.
    List<String> java = List.of(JavaCommand.program(), "-cp", classPath(), Main.class.getName());
    List<String> plan = List.of("plan", "--fast", "1g", "--trace", cluster.hdfsUrl() + HISTORIES);
    List<String> command = Shell.line(java, plan, "--json", "-");
    Eventually.holds("there is a plan, see " + log, () -> plansOneNode(command, log));
  }

  private static boolean plansOneNode(List<String> command, Path log)
      throws IOException, InterruptedException {
    // Histories are moved while they are listed.
    Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
    JsonNode plan = new ObjectMapper().readTree(process.getInputStream().readAllBytes());
    if (process.waitFor() != 0 || plan.at("/sizes/0/placedBytes").asLong() == 0) {
      return false;
    }
    assertEquals(1, plan.path("nodes").asInt(), "as its histories name: " + plan);
    assertTrue(plan.path("notes").toString().contains(EMPTY), plan.toString());
    return true;
  }

  private static String classPath() throws IOException {
    String own =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return own + File.pathSeparator + JavaCommand.path(HadoopRuntime.locate().jars());
  }

  private JsonNode nodeOf(JsonNode status) {
    for (JsonNode node : status.path("nodes")) {
      if (cluster.nodeUrl(0).endsWith("/" + node.path("host").asText()) || node.has("mode")) {
        return node;
      }
    }
    throw new AssertionError("no node told: " + status);
  }

  private JsonNode historyOf(String application) throws IOException, InterruptedException {
    JsonNode all =
        await(new String[] {"history", "--rm", cluster.resourceManagerUrl()}, "applications");
    for (JsonNode history : all.path("applications")) {
      if (history.path("application").asText().equals(application)) {
        return history;
      }
    }
    throw new AssertionError(application + " is not in " + all);
  }

  private static JsonNode await(String[] command, String member) {
    JsonNode[] said = {MissingNode.getInstance()};
    Eventually.holds(
        String.join(" ", command) + " has " + member,
        () -> {
          said[0] = json(command);
          return said[0].has(member);
        });
    return said[0];
  }

  /** What a command says with {@code --json}, whatever its exit code. */
  static JsonNode json(String... command) throws IOException {
    StringWriter out = new StringWriter();
    String[] args = Shell.line(command, "--json", "-").toArray(String[]::new);
    int unused = run(out, new StringWriter(), args);
    return new ObjectMapper().readTree(out.toString());
  }

  /** What a command says, whatever its exit code. */
  static String text(String... command) {
    StringWriter out = new StringWriter();
    int unused = run(out, new StringWriter(), command);
    return out.toString();
  }

  private static int run(StringWriter out, StringWriter err, String... args) {
    return Main.run(new PrintWriter(out), new PrintWriter(err), Ansi.OFF, args);
  }

  /**
   * Compares how much of a job's temporary data was spilled with what {@code temptier plan} makes
   * of its history.
   *
   * @param folder for the job's history
   * @param fastBytes size of a node's fast disk
   * @param properties that the NodeManagers ran with
   * @param nodes how many
   */
  static void predicts(
      PseudoCluster cluster,
      Path folder,
      JobResult job,
      long fastBytes,
      Map<String, String> properties,
      int nodes)
      throws IOException, InterruptedException {
    long spilled = job.placed("DISK_BYTES");
    long written = spilled + job.placed("NVME_BYTES");
    Path history = history(cluster, folder, job.jobId());
    JsonNode size = plan(history, fastBytes, properties, nodes);
    double predicted = spilledShare(size);
    System.out.printf(
        Locale.ROOT,
        "%s: spilled %.1f %% of %d bytes, predicted %.1f %% of %d%n",
        folder.getFileName(),
        100.0 * spilled / written,
        written,
        100 * predicted,
        size.path("placedBytes").asLong() + size.path("spilledBytes").asLong());
    // How soon outputs move is up to what else the machine does: at worst none moves in time.
    Map<String, String> none = new HashMap<>(properties);
    boolean demotes = !"false".equals(none.put("temptier.demotion.enabled", "false"));
    double most = Math.max(predicted, spilledShare(plan(history, fastBytes, none, nodes)));
    double least = demotes ? 0 : predicted;
    double share = (double) spilled / written;
    assertTrue(
        share > least - TOLERANCE && share < most + TOLERANCE,
        () ->
            String.format(
                Locale.ROOT,
                "%.2f was spilled, from %.2f to %.2f expected: %s %s",
                share,
                least,
                most,
                size,
                job.counters()));
  }

  private static double spilledShare(JsonNode size) {
    return 1 - size.path("hitShare").asDouble();
  }

  /** The job's own history file, alone in a folder. */
  private static Path history(PseudoCluster cluster, Path folder, String jobId)
      throws IOException, InterruptedException {
    Path all = folder.resolve("history");
    cluster.fs("-get", HISTORIES, all.toString());
    Path alone = Files.createDirectories(folder.resolve("job"));
    try (Stream<Path> files = Files.walk(all)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".jhist")).toList()) {
        if (file.toString().contains(jobId + "-")) {
          Files.copy(file, alone.resolve(file.getFileName()));
          return alone;
        }
      }
    }
    throw new AssertionError("no history of " + jobId + " below " + all);
  }

  private static JsonNode plan(
      Path history, long fastBytes, Map<String, String> properties, int nodes) throws IOException {
    String[] arguments =
        HadoopCluster.arguments(
            properties,
            "--trace=" + history,
            // All NodeManagers are of one host, which counts as one node.
            "--fast=" + fastBytes * nodes);
    JsonNode plan =
        json(Stream.concat(Stream.of("plan"), Stream.of(arguments)).toArray(String[]::new));
    assertTrue(plan.at("/sizes/0").isObject(), plan::toString);
    return plan.at("/sizes/0");
  }
}
