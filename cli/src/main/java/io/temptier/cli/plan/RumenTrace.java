// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.cli.TimeRange;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A trace as Rumen's {@code TraceBuilder} writes it: jobs in JSON, one after the other, also
 * gzipped. Of a task counts the attempt that succeeded; a job that did not succeed counts with the
 * tasks that did.
 *
 * <p>Rumen writes -1 for what it does not know. A job without a time of submission is placed by its
 * launch, one without either is left out; both are said in the {@link #notes()}.
 *
 * <p>Rumen has the logical bytes of a map's output and the physical ones that reducers fetched.
 * Where outputs are compressed, a job's outputs are scaled down to what was fetched.
 */
public final class RumenTrace implements Trace {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Path file;
  private final MappingIterator<JsonNode> jobs;
  private final TimeRange time;
  private final List<String> notes = new ArrayList<>();

  /** Jobs without a time of submission, until it is their turn. */
  private final PriorityQueue<TraceJob> byLaunch =
      new PriorityQueue<>(Comparator.comparingLong(TraceJob::submitMillis));

  private @Nullable TraceJob ahead;
  private long lastMillis = Long.MIN_VALUE;

  private RumenTrace(Path file, MappingIterator<JsonNode> jobs, TimeRange time) {
    this.file = file;
    this.jobs = jobs;
    this.time = time;
  }

  public static RumenTrace open(Path file) throws IOException {
    return open(file, TimeRange.ALL);
  }

  /** Of the jobs that were submitted in some time. */
  static RumenTrace open(Path file, TimeRange time) throws IOException {
    InputStream raw = new BufferedInputStream(Files.newInputStream(file));
    try {
      boolean gzipped = file.toString().toLowerCase(Locale.ROOT).endsWith(".gz");
      InputStream text = gzipped ? new GZIPInputStream(raw) : raw;
      return new RumenTrace(file, MAPPER.readerFor(JsonNode.class).readValues(text), time);
    } catch (IOException e) {
      raw.close();
      throw unreadable(file, e);
    }
  }

  /** The next job as Rumen wrote it, or null after the last. */
  public @Nullable JsonNode json() throws IOException {
    try {
      return jobs.hasNextValue() ? jobs.nextValue() : null;
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  @Override
  public @Nullable TraceJob next() throws IOException {
    while (true) {
      if (ahead == null) {
        ahead = nextSubmitted();
      }
      TraceJob job = byLaunch.peek();
      if (job == null || (ahead != null && ahead.submitMillis() < job.submitMillis())) {
        job = ahead;
        ahead = null;
      } else {
        byLaunch.remove();
      }
      if (job == null || time.has(job.submitMillis())) {
        return job;
      }
    }
  }

  /** The next job of which Rumen knows when it was submitted; those before it wait by launch. */
  private @Nullable TraceJob nextSubmitted() throws IOException {
    for (JsonNode job = json(); job != null; job = json()) {
      String id = job.path("jobID").asText();
      if (id.isEmpty() || !job.path("submitTime").isNumber()) {
        throw new IOException(
            file
                + " has an object without jobID and submitTime: a trace is the first file that"
                + " Rumen's TraceBuilder writes, not the topology");
      }
      long submitMillis = job.path("submitTime").asLong();
      if (submitMillis < 0) {
        launched(id, submitMillis, job);
        continue;
      }
      if (submitMillis < lastMillis) {
        throw new IOException(
            String.format(
                "%s is not in the order of submission: %s comes after a job submitted later."
                    + " Rumen's Folder sorts a trace",
                file, id));
      }
      lastMillis = submitMillis;
      return read(id, submitMillis, job);
    }
    return null;
  }

  private void launched(String id, long submitMillis, JsonNode job) {
    long launchMillis = job.path("launchTime").asLong(-1);
    if (launchMillis < 0) {
      notes.add(
          String.format(
              "%s is left out: its submitTime is %d and its launchTime %s",
              id, submitMillis, job.path("launchTime").asText("not there")));
      return;
    }
    notes.add(String.format("%s counts from its launch: its submitTime is %d", id, submitMillis));
    byLaunch.add(read(id, Math.max(lastMillis, launchMillis), job));
  }

  @Override
  public List<String> notes() {
    return notes;
  }

  private static IOException unreadable(Path file, IOException e) {
    return new IOException(
        file + " cannot be read as JSON of Rumen's TraceBuilder: " + e.getMessage(), e);
  }

  private static TraceJob read(String id, long submitMillis, JsonNode job) {
    List<JsonNode> mapTasks = succeeded(job.path("mapTasks"));
    List<JsonNode> reduceTasks = succeeded(job.path("reduceTasks"));
    long fetched = sum(reduceTasks, "reduceShuffleBytes");
    long logical = sum(mapTasks, "mapOutputBytes");
    double physical = fetched > 0 && fetched < logical ? (double) fetched / logical : 1;
    List<TraceJob.MapTask> maps = new ArrayList<>();
    for (JsonNode task : mapTasks) {
      // Without reduces the output is the job's, in HDFS.
      long bytes = reduceTasks.isEmpty() ? 0 : (long) (number(task, "mapOutputBytes") * physical);
      maps.add(
          TraceJob.MapTask.of(
              millis(task),
              number(task, "hdfsBytesRead"),
              bytes,
              number(task, "hdfsBytesWritten")));
    }
    List<TraceJob.ReduceTask> reduces = new ArrayList<>();
    for (JsonNode task : reduceTasks) {
      reduces.add(
          TraceJob.ReduceTask.of(
              millis(task), number(task, "reduceShuffleBytes"), number(task, "hdfsBytesWritten")));
    }
    Set<String> hosts =
        Stream.concat(mapTasks.stream(), reduceTasks.stream())
            .map(task -> task.path("hostName").asText(""))
            .filter(host -> !host.isEmpty())
            .collect(Collectors.toSet());
    return TraceJob.of(id, submitMillis, maps, reduces, hosts, job.path("user").asText(""));
  }

  /** Of each task the first attempt that succeeded. */
  private static List<JsonNode> succeeded(JsonNode tasks) {
    List<JsonNode> succeeded = new ArrayList<>();
    for (JsonNode task : tasks) {
      for (JsonNode attempt : task.path("attempts")) {
        if (attempt.path("result").asText().equals("SUCCESS")) {
          succeeded.add(attempt);
          break;
        }
      }
    }
    return succeeded;
  }

  private static long sum(List<JsonNode> tasks, String name) {
    return tasks.stream().mapToLong(task -> number(task, name)).sum();
  }

  private static long millis(JsonNode attempt) {
    return Math.max(0, number(attempt, "finishTime") - number(attempt, "startTime"));
  }

  /** What Rumen does not know it writes as -1. */
  private static long number(JsonNode attempt, String name) {
    return Math.max(0, attempt.path(name).asLong());
  }

  @Override
  public void close() throws IOException {
    jobs.close();
  }
}
