// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.bench.experiment.Experiments;
import io.temptier.tier.text.Sizes;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;

/** How much there is to do in a trace. */
record TraceSummary(
    int jobs,
    int maps,
    int reduces,
    long inputBytes,
    long shuffleBytes,
    long resultBytes,
    long largestShuffleBytes) {
  static final TraceSummary NOTHING = new TraceSummary(0, 0, 0, 0, 0, 0, 0);

  /** Copies the jobs that Gridmix replays, those that succeeded and had maps, and sums them up. */
  static TraceSummary copyReplayable(String from, Path to) throws IOException {
    TraceSummary sum = NOTHING;
    boolean gzipped = from.toLowerCase(Locale.ROOT).endsWith(".gz");
    try (InputStream raw = new BufferedInputStream(Experiments.file(from));
        InputStream text = gzipped ? new GZIPInputStream(raw) : raw;
        MappingIterator<JsonNode> jobs =
            new ObjectMapper().readerFor(JsonNode.class).readValues(text);
        Writer out = Files.newBufferedWriter(to)) {
      while (jobs.hasNextValue()) {
        JsonNode job = jobs.nextValue();
        if (job.path("outcome").asText().equals("SUCCESS") && job.path("totalMaps").asInt() > 0) {
          out.append(job.toString()).append('\n');
          sum = sum.and(job);
        }
      }
    } catch (IOException e) {
      throw new IOException(
          from + " cannot be read as JSON of Rumen's TraceBuilder: " + e.getMessage(), e);
    }
    return sum;
  }

  /** This and a job as Rumen has it; of a task counts the attempt that succeeded. */
  private TraceSummary and(JsonNode job) {
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
