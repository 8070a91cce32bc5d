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
            "--fast=" + fastBytes * nodes);
    JsonNode plan =
        Operator.json(
            Stream.concat(Stream.of("plan"), Stream.of(arguments)).toArray(String[]::new));
    assertTrue(plan.at("/sizes/0").isObject(), plan::toString);
    return plan.at("/sizes/0");
  }
}
