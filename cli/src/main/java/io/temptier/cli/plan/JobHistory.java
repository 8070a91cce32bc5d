// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import com.google.auto.value.AutoValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.TaskType;
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
  public TraceJob read() throws IOException {
    JobHistoryParser parser = new JobHistoryParser(files(), file());
    JobInfo job;
    try {
      job = parser.parse();
    } catch (IOException e) {
      throw new IOException(file() + " is no history of a job: " + e.getMessage(), e);
    }
    if (parser.getParseException() != null) {
      throw new IOException(file() + " is no whole history of a job", parser.getParseException());
    }
    return read(job);
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
