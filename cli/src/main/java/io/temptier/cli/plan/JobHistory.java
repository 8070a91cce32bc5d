// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

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

/**
 * The {@code .jhist} file of a job, whose name has its time of submission. Of a task counts the
 * attempt that succeeded.
 */
final class JobHistory {
  private static final Pattern NAME = Pattern.compile("(job_\\d+_\\d+)-(\\d+)-.*\\.jhist");

  private JobHistory() {}

  /** Of such a file; empty when it is none by its name. */
  static Optional<Histories.Source> of(FileSystem files, Path file) {
    Matcher name = NAME.matcher(file.getName());
    if (!name.matches()) {
      return Optional.empty();
    }
    String id = name.group(1);
    long submitMillis = Long.parseLong(name.group(2));
    return Optional.of(
        Histories.Source.of(
            id,
            submitMillis,
            () -> {
              JobInfo job = read(files, file);
              String user = job.getUsername() == null ? "" : job.getUsername();
              return PastJob.of(id, submitMillis, user, tasks(job));
            }));
  }

  private static JobInfo read(FileSystem files, Path file) throws IOException {
    JobHistoryParser parser;
    JobInfo job;
    try (FSDataInputStream raw = files.open(file)) {
      parser = new JobHistoryParser(raw);
      job = parser.parse(new EventReader(raw));
    } catch (IOException | RuntimeException e) {
      throw new IOException(file + " is no history of a job: " + e, e);
    }
    if (parser.getParseException() != null) {
      throw new IOException(
          file + " is no whole history of a job: " + parser.getParseException(),
          parser.getParseException());
    }
    if (job.getFinishTime() <= 0) {
      throw new IOException(file + " is no whole history of a job: it ends before its job does");
    }
    return job;
  }

  private static List<PastJob.Task> tasks(JobInfo job) {
    List<PastJob.Task> tasks = new ArrayList<>();
    for (TaskInfo task : job.getAllTasks().values()) {
      TaskAttemptInfo attempt = task.getAllTaskAttempts().get(task.getSuccessfulAttemptId());
      if (attempt == null) {
        continue;
      }
      Counters counters = attempt.getCounters() == null ? new Counters() : attempt.getCounters();
      long written =
          counters.findCounter(FileSystemCounter.class.getName(), "FILE_BYTES_WRITTEN").getValue();
      boolean map = task.getTaskType() == TaskType.MAP;
      boolean reduce = task.getTaskType() == TaskType.REDUCE;
      long output =
          map ? counters.findCounter(TaskCounter.MAP_OUTPUT_MATERIALIZED_BYTES).getValue() : 0;
      tasks.add(
          PastJob.Task.of(
              String.valueOf(attempt.getHostname()),
              attempt.getStartTime(),
              attempt.getFinishTime(),
              output,
              // All that was written to local files; a single spill becomes the output.
              Math.max(0, written - output),
              reduce ? attempt.getShuffleFinishTime() : PastJob.Task.FETCHES_NOTHING));
    }
    return tasks;
  }
}
