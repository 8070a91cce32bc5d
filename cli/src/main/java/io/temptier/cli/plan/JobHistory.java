// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import com.google.auto.value.AutoValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
abstract class JobHistory implements Histories.Source {

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
  static Optional<Histories.Source> of(FileSystem files, Path file) {
    Matcher name = NAME.matcher(file.getName());
    return name.matches()
        ? Optional.of(JobHistory.of(name.group(1), Long.parseLong(name.group(2)), files, file))
        : Optional.empty();
  }

  @Override
  public PastJob read() throws IOException {
    JobHistoryParser parser;
    JobInfo job;
    try (FSDataInputStream raw = files().open(file())) {
      parser = new JobHistoryParser(raw);
      job = parser.parse(new EventReader(raw));
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
    return read(job);
  }

  private PastJob read(JobInfo job) {
    List<PastJob.Task> tasks = new ArrayList<>();
    for (TaskInfo task : job.getAllTasks().values()) {
      TaskAttemptInfo attempt = task.getAllTaskAttempts().get(task.getSuccessfulAttemptId());
      if (attempt == null) {
        continue;
      }
      boolean map = task.getTaskType() == TaskType.MAP;
      boolean reduce = task.getTaskType() == TaskType.REDUCE;
      long output = map ? outputBytes(attempt.getCounters()) : 0;
      tasks.add(
          PastJob.Task.of(
              String.valueOf(attempt.getHostname()),
              attempt.getStartTime(),
              attempt.getFinishTime(),
              output,
              // All that was written to local files; a single spill becomes the output.
              Math.max(0, writtenBytes(attempt.getCounters()) - output),
              reduce ? attempt.getShuffleFinishTime() : PastJob.Task.FETCHES_NOTHING));
    }
    return PastJob.of(
        id(), submitMillis(), job.getUsername() == null ? "" : job.getUsername(), tasks);
  }

  private static long outputBytes(@Nullable Counters counters) {
    return counters == null
        ? 0
        : counters.findCounter(TaskCounter.MAP_OUTPUT_MATERIALIZED_BYTES).getValue();
  }

  private static long writtenBytes(@Nullable Counters counters) {
    return counters == null
        ? 0
        : counters.findCounter(FileSystemCounter.class.getName(), "FILE_BYTES_WRITTEN").getValue();
  }
}
