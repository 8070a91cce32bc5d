// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import com.google.auto.value.AutoValue;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.jobhistory.EventReader;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.JobInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskAttemptInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskInfo;
import org.jspecify.annotations.Nullable;

/**
 * The {@code .jhist} file of a job, whose name has its time of submission. Of a task counts the
 * attempt that succeeded.
 */
@AutoValue
abstract class JobHistory implements FolderTrace.Source {

  /** Begins a file for which mapreduce.jobhistory.jhist.format is binary. */
  private static final String BINARY = "Avro-Binary";

  private static final Pattern NAME = Pattern.compile("(job_\\d+_\\d+)-(\\d+)-.*\\.jhist");

  @Override
  public abstract String id();

  /** Milliseconds since 1970. */
  @Override
  public abstract long submitMillis();

  abstract FileSystem files();

  abstract Path file();

  static JobHistory of(String id, long submitMillis, FileSystem files, Path file) {
    return new AutoValue_JobHistory(id, submitMillis, files, file);
  }

  /** Of such a file; empty when it is none by its name. */
  static Optional<FolderTrace.Source> of(FileSystem files, Path file) {
    Matcher name = NAME.matcher(file.getName());
    return name.matches()
        ? Optional.of(JobHistory.of(name.group(1), Long.parseLong(name.group(2)), files, file))
        : Optional.empty();
  }

  @Override
  public TraceJob read(Consumer<String> notes) throws IOException {
    JobHistoryParser parser;
    JobInfo job;
    KnownEvents known;
    try (FSDataInputStream raw = files().open(file())) {
      BufferedInputStream text = new BufferedInputStream(raw);
      known = new KnownEvents(text);
      String version = version(text);
      if (version.isEmpty()) {
        throw new IOException("it is empty");
      }
      parser = new JobHistoryParser(raw);
      // The binary form has no lines.
      InputStream events = version.equals(BINARY) ? text : known;
      job = parser.parse(new EventReader(new DataInputStream(events)));
    } catch (IOException | RuntimeException e) {
      throw new IOException(file() + " is no history of a job: " + e, e);
    }
    if (parser.getParseException() != null) {
      throw new IOException(
          file() + " is no whole history of a job: " + parser.getParseException(),
          parser.getParseException());
    }
    if (job.getFinishTime() <= 0) {
      throw new IOException(file() + " is no whole history of a job: it ends before its job does");
    }
    if (!known.passedOver().isEmpty()) {
      notes.accept(
          file()
              + " has events of types that this Hadoop does not know, which do not count: "
              + known.passedOver());
    }
    return read(job);
  }

  /** What the file begins with, as far as it matters. */
  private static String version(BufferedInputStream in) throws IOException {
    byte[] begin = new byte[BINARY.length()];
    in.mark(begin.length);
    int length = in.readNBytes(begin, 0, begin.length);
    in.reset();
    return new String(begin, 0, length, StandardCharsets.ISO_8859_1);
  }

  private TraceJob read(JobInfo job) {
    List<TraceJob.MapTask> maps = new ArrayList<>();
    List<TraceJob.ReduceTask> reduces = new ArrayList<>();
    Set<String> hosts = new HashSet<>();
    for (TaskInfo task : job.getAllTasks().values()) {
      TaskAttemptInfo attempt = task.getAllTaskAttempts().get(task.getSuccessfulAttemptId());
      if (attempt == null) {
        continue;
      }
      if (attempt.getHostname() != null) {
        hosts.add(attempt.getHostname());
      }
      long millis = Math.max(0, attempt.getFinishTime() - attempt.getStartTime());
      if (task.getTaskType() == TaskType.MAP) {
        maps.add(
            TraceJob.MapTask.of(
                millis,
                hdfs(attempt.getCounters(), "HDFS_BYTES_READ"),
                bytes(attempt.getCounters(), TaskCounter.MAP_OUTPUT_MATERIALIZED_BYTES),
                hdfs(attempt.getCounters(), "HDFS_BYTES_WRITTEN")));
      } else if (task.getTaskType() == TaskType.REDUCE) {
        reduces.add(
            TraceJob.ReduceTask.of(
                millis,
                bytes(attempt.getCounters(), TaskCounter.REDUCE_SHUFFLE_BYTES),
                hdfs(attempt.getCounters(), "HDFS_BYTES_WRITTEN")));
      }
    }
    String user = job.getUsername() == null ? "" : job.getUsername();
    return TraceJob.of(id(), submitMillis(), maps, reduces, hosts, user);
  }

  private static long bytes(@Nullable Counters counters, TaskCounter counter) {
    return counters == null ? 0 : counters.findCounter(counter).getValue();
  }

  private static long hdfs(@Nullable Counters counters, String name) {
    return counters == null
        ? 0
        : counters.findCounter(FileSystemCounter.class.getName(), name).getValue();
  }
}
