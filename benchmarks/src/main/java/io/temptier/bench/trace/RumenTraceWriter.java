// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Writes a trace as Rumen's {@code TraceBuilder} does, for Gridmix and Rumen's own tools; gzipped
 * if the file's name ends so. Every job and every task succeeded at the first attempt. Each task
 * begins when it could on a cluster with a container for everybody: maps when their job is
 * submitted, reduces when its maps are done.
 *
 * <p>The same jobs give the same bytes.
 */
public final class RumenTraceWriter implements Closeable {
  /** When a job was submitted whose time is 0: to Rumen a start of 0 is one that is not known. */
  private static final long EPOCH_MILLIS = 1_000;

  /**
   * Bytes of a record. Of those below 5 KiB Gridmix makes some of that size, and many that are
   * nearly empty.
   */
  private static final long RECORD_BYTES = 8 << 10;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Writer out;

  private RumenTraceWriter(Writer out) {
    this.out = out;
  }

  public static RumenTraceWriter create(Path file) throws IOException {
    OutputStream raw = new BufferedOutputStream(Files.newOutputStream(file));
    boolean gzipped = file.toString().toLowerCase(Locale.ROOT).endsWith(".gz");
    OutputStream text = gzipped ? new GZIPOutputStream(raw) : raw;
    return new RumenTraceWriter(new OutputStreamWriter(text, StandardCharsets.UTF_8));
  }

  /** Copies the jobs that Gridmix replays, those that succeeded and had maps, as they are. */
  public static TraceSummary copyReplayable(Path from, Path to) throws IOException {
    TraceSummary sum = TraceSummary.NOTHING;
    boolean gzipped = from.toString().toLowerCase(Locale.ROOT).endsWith(".gz");
    try (InputStream raw = new BufferedInputStream(Files.newInputStream(from));
        InputStream text = gzipped ? new GZIPInputStream(raw) : raw;
        MappingIterator<JsonNode> jobs = MAPPER.readerFor(JsonNode.class).readValues(text);
        RumenTraceWriter writer = create(to)) {
      while (jobs.hasNextValue()) {
        JsonNode job = jobs.nextValue();
        if (job.path("outcome").asText().equals("SUCCESS") && job.path("totalMaps").asInt() > 0) {
          writer.write(job);
          sum = sum.and(job);
        }
      }
    } catch (IOException e) {
      throw new IOException(
          from + " cannot be read as JSON of Rumen's TraceBuilder: " + e.getMessage(), e);
    }
    return sum;
  }

  /**
   * Writes a job, on a line of its own, and gives what was written.
   *
   * @param job whose id is of Hadoop's form, {@code job_1_0001}
   */
  public JsonNode write(TraceJob job) throws IOException {
    if (!job.id().matches("job_\\d+_\\d+")) {
      throw new IllegalArgumentException(job.id() + " is no id of a job to Rumen: job_1_0001 is");
    }
    long submit = EPOCH_MILLIS + job.submitMillis();
    long mapsDone = submit + longest(job.maps(), TraceJob.MapTask::millis);
    ObjectNode node =
        MAPPER
            .createObjectNode()
            .put("jobID", job.id())
            .put("jobName", job.id().replace("job_", "synthetic_"))
            .put("user", "temptier")
            .put("queue", "default")
            .put("outcome", "SUCCESS")
            .put("submitTime", submit)
            .put("launchTime", submit)
            .put("finishTime", mapsDone + longest(job.reduces(), TraceJob.ReduceTask::millis))
            .put("totalMaps", job.maps().size())
            .put("totalReduces", job.reduces().size());
    ArrayNode maps = node.putArray("mapTasks");
    for (TraceJob.MapTask map : job.maps()) {
      long output = job.reduces().isEmpty() ? map.resultBytes() : map.outputBytes();
      attempt(task(maps, job, "m"), submit, map.millis())
          .put("hdfsBytesRead", map.inputBytes())
          .put("mapInputBytes", map.inputBytes())
          .put("mapInputRecords", records(map.inputBytes()))
          .put("mapOutputBytes", output)
          .put("mapOutputRecords", records(output))
          .put("hdfsBytesWritten", map.resultBytes())
          .put("fileBytesWritten", map.outputBytes());
    }
    ArrayNode reduces = node.putArray("reduceTasks");
    for (TraceJob.ReduceTask reduce : job.reduces()) {
      attempt(task(reduces, job, "r"), mapsDone, reduce.millis())
          .put("reduceShuffleBytes", reduce.inputBytes())
          .put("reduceInputRecords", records(reduce.inputBytes()))
          .put("reduceOutputRecords", records(reduce.resultBytes()))
          .put("hdfsBytesWritten", reduce.resultBytes())
          .put("shuffleFinished", mapsDone)
          .put("sortFinished", mapsDone);
    }
    write(node);
    return node;
  }

  private void write(JsonNode job) throws IOException {
    out.append(job.toString()).append('\n');
  }

  private static <T> long longest(List<T> tasks, ToLongFunction<T> millis) {
    return tasks.stream().mapToLong(millis).max().orElse(0);
  }

  /** Adds the next task of a kind, {@code m} or {@code r}. */
  private static ObjectNode task(ArrayNode tasks, TraceJob job, String kind) {
    String number =
        String.format(Locale.ROOT, "%s_%s_%06d", job.id().substring(3), kind, tasks.size());
    return tasks
        .addObject()
        .put("taskID", "task" + number)
        .put("taskType", kind.equals("m") ? "MAP" : "REDUCE")
        .put("taskStatus", "SUCCESS");
  }

  private static ObjectNode attempt(ObjectNode task, long start, long millis) {
    String id = task.path("taskID").asText().replace("task", "attempt") + "_0";
    return task.put("startTime", start)
        .put("finishTime", start + millis)
        .putArray("attempts")
        .addObject()
        .put("attemptID", id)
        .put("result", "SUCCESS")
        .put("startTime", start)
        .put("finishTime", start + millis);
  }

  private static long records(long bytes) {
    return (bytes + RECORD_BYTES - 1) / RECORD_BYTES;
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
