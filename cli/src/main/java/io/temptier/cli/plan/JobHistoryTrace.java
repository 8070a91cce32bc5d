// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
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
 * The {@code .jhist} files below a folder of any file system of Hadoop's, as the history server
 * keeps them, by the time of submission in their names. Of a task counts the attempt that
 * succeeded.
 */
final class JobHistoryTrace implements Trace {
  private static final Pattern NAME = Pattern.compile("(job_\\d+_\\d+)-(\\d+)-.*\\.jhist");

  private record History(long submitMillis, String id, Path file) {}

  private final FileSystem files;
  private final Iterator<History> histories;

  private JobHistoryTrace(FileSystem files, List<History> histories) {
    this.files = files;
    this.histories = histories.iterator();
  }

  /**
   * Finds the files.
   *
   * @param folder such as {@code hdfs://nn/mr-history/done}
   * @param days of submission; others are not even opened
   * @throws IOException when the folder cannot be read
   */
  static JobHistoryTrace open(Path folder, Days days) throws IOException {
    FileSystem fs = folder.getFileSystem(new Configuration());
    List<History> histories = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> files = fs.listFiles(folder, true);
    while (files.hasNext()) {
      Path file = files.next().getPath();
      Matcher name = NAME.matcher(file.getName());
      if (name.matches() && days.have(Long.parseLong(name.group(2)))) {
        histories.add(new History(Long.parseLong(name.group(2)), name.group(1), file));
      }
    }
    histories.sort(
        Comparator.comparingLong(History::submitMillis)
            .thenComparing(History::id)
            .thenComparing(History::file));
    return new JobHistoryTrace(fs, histories);
  }

  @Override
  public @Nullable TraceJob next() throws IOException {
    if (!histories.hasNext()) {
      return null;
    }
    History history = histories.next();
    JobHistoryParser parser = new JobHistoryParser(files, history.file());
    JobInfo job;
    try {
      job = parser.parse();
    } catch (IOException e) {
      throw new IOException(history.file() + " is no history of a job: " + e.getMessage(), e);
    }
    if (parser.getParseException() != null) {
      throw new IOException(
          history.file() + " is no whole history of a job", parser.getParseException());
    }
    return read(history, job);
  }

  private static TraceJob read(History history, JobInfo job) {
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
            new TraceJob.MapTask(
                millis,
                hdfs(attempt.getCounters(), "HDFS_BYTES_READ"),
                bytes(attempt.getCounters(), TaskCounter.MAP_OUTPUT_MATERIALIZED_BYTES),
                hdfs(attempt.getCounters(), "HDFS_BYTES_WRITTEN")));
      } else if (task.getTaskType() == TaskType.REDUCE) {
        reduces.add(
            new TraceJob.ReduceTask(
                millis,
                bytes(attempt.getCounters(), TaskCounter.REDUCE_SHUFFLE_BYTES),
                hdfs(attempt.getCounters(), "HDFS_BYTES_WRITTEN")));
      }
    }
    return new TraceJob(history.id(), history.submitMillis(), maps, reduces, hosts);
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
