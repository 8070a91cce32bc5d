// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A trace as Rumen's {@code TraceBuilder} writes it: jobs in JSON, one after the other, also
 * gzipped. Of a task counts the attempt that succeeded; a job that did not succeed counts with the
 * tasks that did.
 *
 * <p>Rumen has the logical bytes of a map's output and the physical ones that reducers fetched.
 * Where outputs are compressed, a job's outputs are scaled down to what was fetched.
 */
public final class RumenTrace implements Trace {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Path file;
  private final MappingIterator<JsonNode> jobs;
  private long lastMillis = Long.MIN_VALUE;

  private RumenTrace(Path file, MappingIterator<JsonNode> jobs) {
    this.file = file;
    this.jobs = jobs;
  }

  /**
   * Opens a trace.
   *
   * @throws IOException when it cannot be read
   */
  public static RumenTrace open(Path file) throws IOException {
    InputStream raw = new BufferedInputStream(Files.newInputStream(file));
    boolean opened = false;
    try {
      boolean gzipped = file.toString().toLowerCase(Locale.ROOT).endsWith(".gz");
      InputStream text = gzipped ? new GZIPInputStream(raw) : raw;
      RumenTrace trace = new RumenTrace(file, MAPPER.readerFor(JsonNode.class).readValues(text));
      opened = true;
      return trace;
    } catch (IOException e) {
      throw unreadable(file, e);
    } finally {
      if (!opened) {
        raw.close();
      }
    }
  }

  /**
   * The next job as Rumen wrote it, or null after the last.
   *
   * @throws IOException when the trace cannot be read
   */
  public @Nullable JsonNode json() throws IOException {
    try {
      return jobs.hasNextValue() ? jobs.nextValue() : null;
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  @Override
  public @Nullable TraceJob next() throws IOException {
    JsonNode job = json();
    if (job == null) {
      return null;
    }
    String id = job.path("jobID").asText();
    long submitMillis = job.path("submitTime").asLong(-1);
    if (id.isEmpty() || submitMillis < 0) {
      throw new IOException(
          file
              + " has an object without jobID and submitTime: a trace is the first file that"
              + " Rumen's TraceBuilder writes, not the topology");
    }
    if (submitMillis < lastMillis) {
      throw new IOException(
          ("%s is not in the order of submission: %s comes after a job submitted later."
                  + " Rumen's Folder sorts a trace")
              .formatted(file, id));
    }
    lastMillis = submitMillis;
    return read(id, submitMillis, job);
  }

  private static IOException unreadable(Path file, IOException e) {
    return new IOException(
        file + " cannot be read as JSON of Rumen's TraceBuilder: " + e.getMessage(), e);
  }

  private static TraceJob read(String id, long submitMillis, JsonNode job) {
    Set<String> hosts = new HashSet<>();
    List<TraceJob.ReduceTask> reduces = new ArrayList<>();
    long fetched = 0;
    for (JsonNode task : job.path("reduceTasks")) {
      JsonNode attempt = succeeded(task);
      if (attempt != null) {
        addHost(hosts, attempt);
        long bytes = number(attempt, "reduceShuffleBytes");
        long result = number(attempt, "hdfsBytesWritten");
        reduces.add(new TraceJob.ReduceTask(millis(attempt), bytes, result));
        fetched += bytes;
      }
    }
    List<JsonNode> attempts = new ArrayList<>();
    long logical = 0;
    for (JsonNode task : job.path("mapTasks")) {
      JsonNode attempt = succeeded(task);
      if (attempt != null) {
        attempts.add(attempt);
        addHost(hosts, attempt);
        logical += number(attempt, "mapOutputBytes");
      }
    }
    double physical = fetched > 0 && fetched < logical ? (double) fetched / logical : 1;
    List<TraceJob.MapTask> maps = new ArrayList<>();
    for (JsonNode attempt : attempts) {
      // Without reduces the output is the job's, in HDFS.
      long bytes = reduces.isEmpty() ? 0 : (long) (number(attempt, "mapOutputBytes") * physical);
      maps.add(
          new TraceJob.MapTask(
              millis(attempt),
              number(attempt, "hdfsBytesRead"),
              bytes,
              number(attempt, "hdfsBytesWritten")));
    }
    return new TraceJob(id, submitMillis, maps, reduces, hosts, job.path("user").asText(""));
  }

  private static void addHost(Set<String> hosts, JsonNode attempt) {
    String host = attempt.path("hostName").asText("");
    if (!host.isEmpty()) {
      hosts.add(host);
    }
  }

  private static @Nullable JsonNode succeeded(JsonNode task) {
    for (JsonNode attempt : task.path("attempts")) {
      if (attempt.path("result").asText().equals("SUCCESS")) {
        return attempt;
      }
    }
    return null;
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
