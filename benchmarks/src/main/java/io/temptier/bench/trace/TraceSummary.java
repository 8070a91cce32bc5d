// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.trace;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/** How much there is to do in a trace. */
public record TraceSummary(
    int jobs,
    int maps,
    int reduces,
    long inputBytes,
    long shuffleBytes,
    long resultBytes,
    long largestShuffleBytes) {
  private static final double UTILISATION = 0.7;
  public static final TraceSummary NOTHING = new TraceSummary(0, 0, 0, 0, 0, 0, 0);

  /**
   * Makes a trace up, as large as one node does it, and writes it to a file for Rumen.
   *
   * @param containers of the node, which it would keep busy for most of the time
   */
  public static TraceSummary synthetic(long seed, long tasks, int containers, Path file)
      throws IOException {
    return writing(
        new SyntheticTrace(seed, SyntheticTrace.Shape.NODE, tasks, containers, UTILISATION), file);
  }

  /** Writes a trace to a file for Rumen. */
  public static TraceSummary writing(SyntheticTrace trace, Path file) throws IOException {
    TraceSummary sum = NOTHING;
    try (RumenTraceWriter writer = RumenTraceWriter.create(file)) {
      for (TraceJob job = trace.next(); job != null; job = trace.next()) {
        sum = sum.and(writer.write(job));
      }
    }
    return sum;
  }

  /** This and a job as Rumen has it; of a task counts the attempt that succeeded. */
  TraceSummary and(JsonNode job) {
    List<JsonNode> mapTasks = succeeded(job.path("mapTasks"));
    List<JsonNode> reduceTasks = succeeded(job.path("reduceTasks"));
    long input = sum(mapTasks, "hdfsBytesRead");
    long fetched = sum(reduceTasks, "reduceShuffleBytes");
    // Without reduces the output is the job's, in HDFS; where outputs are compressed, less is
    // fetched.
    long shuffle = reduceTasks.isEmpty() ? 0 : sum(mapTasks, "mapOutputBytes");
    shuffle = fetched > 0 ? Math.min(fetched, shuffle) : shuffle;
    long result = sum(mapTasks, "hdfsBytesWritten") + sum(reduceTasks, "hdfsBytesWritten");
    return new TraceSummary(
        jobs + 1,
        maps + mapTasks.size(),
        reduces + reduceTasks.size(),
        inputBytes + input,
        shuffleBytes + shuffle,
        resultBytes + result,
        Math.max(largestShuffleBytes, shuffle));
  }

  private static List<JsonNode> succeeded(JsonNode tasks) {
    List<JsonNode> succeeded = new ArrayList<>();
    for (JsonNode task : tasks) {
      StreamSupport.stream(task.path("attempts").spliterator(), false)
          .filter(attempt -> attempt.path("result").asText().equals("SUCCESS"))
          .findFirst()
          .ifPresent(succeeded::add);
    }
    return succeeded;
  }

  /** What Rumen does not know it writes as -1. */
  private static long sum(List<JsonNode> attempts, String name) {
    return attempts.stream().mapToLong(each -> Math.max(0, each.path(name).asLong())).sum();
  }

  @Override
  public String toString() {
    return "%s of %s maps and %s reduces, %s in, %s shuffled, %s out"
        .formatted(
            jobs + (jobs == 1 ? " job" : " jobs"),
            maps,
            reduces,
            Sizes.format(inputBytes),
            Sizes.format(shuffleBytes),
            Sizes.format(resultBytes));
  }
}
