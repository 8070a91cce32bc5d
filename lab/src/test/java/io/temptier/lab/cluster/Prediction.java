// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** What {@code temptier plan} makes of a sort's history, beside what the sort did. */
final class Prediction {
  private static final String HISTORY = "/tmp/hadoop-yarn/staging/history";

  /** Of all bytes. One file is up to 9 % of them in these sorts, and which fit is a race. */
  private static final double TOLERANCE = 0.20;

  private Prediction() {}

  /**
   * Compares how much of a job's temporary data was spilled.
   *
   * @param folder for the job's history
   * @param fastBytes size of a node's fast disk
   * @param properties that the NodeManagers ran with
   * @param nodes how many
   */
  static void compare(
      PseudoCluster cluster,
      Path folder,
      JobResult job,
      long fastBytes,
      Map<String, String> properties,
      int nodes)
      throws IOException, InterruptedException {
    long spilled = job.placed("DISK_BYTES");
    long all = spilled + job.placed("NVME_BYTES");
    Path history = history(cluster, folder, job.jobId());
    JsonNode size = plan(history, fastBytes, properties, nodes);
    double predicted = 1 - size.path("hitShare").asDouble();
    System.out.printf(
        Locale.ROOT,
        "%s: spilled %.1f %% of %d bytes, predicted %.1f %% of %d%n",
        folder.getFileName(),
        100.0 * spilled / all,
        all,
        100 * predicted,
        size.path("placedBytes").asLong() + size.path("spilledBytes").asLong());
    // How soon outputs move is up to what else the machine does: at worst none moves in time.
    Map<String, String> still = new HashMap<>(properties);
    still.put("temptier.demotion.enabled", "false");
    double most = 1 - plan(history, fastBytes, still, nodes).path("hitShare").asDouble();
    double share = (double) spilled / all;
    assertTrue(
        share > predicted - TOLERANCE && share < Math.max(predicted, most) + TOLERANCE,
        () -> share + " was spilled, at most " + most + ": " + size + " " + job.counters());
  }

  /** The job's own history file, alone in a folder. */
  private static Path history(PseudoCluster cluster, Path folder, String jobId)
      throws IOException, InterruptedException {
    Path all = folder.resolve("history");
    cluster.fs("-get", HISTORY, all.toString());
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
            "--fast=" + fastBytes * nodes,
            "--dwpd=1000000");
    JsonNode plan =
        Operator.json(
            Stream.concat(Stream.of("plan"), Stream.of(arguments)).toArray(String[]::new));
    assertTrue(plan.at("/sizes/0").isObject(), plan::toString);
    return plan.at("/sizes/0");
  }
}
