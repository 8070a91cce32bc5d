// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import io.temptier.cli.TimeRange;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
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
 * Files that history servers keep below a folder of any file system of Hadoop's: {@code .jhist}
 * files of MapReduce and event logs of Spark. One that is torn, empty or may not be read is left
 * out, and said in the notes.
 */
final class Histories {
  private static final Pattern JHIST = Pattern.compile("(job_\\d+_\\d+)-(\\d{1,18})-.*\\.jhist");

  /** A job, which is read when it is its turn. */
  static final class Source {
    private final String id;
    private final long submitMillis;

    /** Fails with an {@link IOException} that says which file. */
    private final Callable<PastJob> reader;

    Source(String id, long submitMillis, Callable<PastJob> reader) {
      this.id = id;
      this.submitMillis = submitMillis;
      this.reader = reader;
    }
  }

  private final FileSystem fs;
  private final List<String> notes;
  private final List<Source> found = new ArrayList<>();

  /** Files of Spark's event logs, by the log. */
  private final Map<String, List<Path>> logs = new TreeMap<>();

  private Histories(FileSystem fs, List<String> notes) {
    this.fs = fs;
    this.notes = notes;
  }

  /**
   * Reads the jobs in a folder or a file, here or at a URI such as {@code
   * hdfs://nn/mr-history/done}, in the order of submission. Of those that were submitted at another
   * time no more is read than when that was.
   *
   * @param notes takes what does not count: which file or job, and why; for people
   */
  static void read(String place, TimeRange time, List<String> notes, Consumer<PastJob> jobs)
      throws IOException {
    Path folder = place.contains("://") ? new Path(place) : new Path(Paths.get(place).toUri());
    Histories histories = new Histories(folder.getFileSystem(new Configuration()), notes);
    histories.findAll(folder);
    histories.found.sort(
        Comparator.comparingLong((Source source) -> source.submitMillis)
            .thenComparing(source -> source.id));
    for (Source source : histories.found) {
      if (time.has(source.submitMillis)) {
        histories.orNote(source.id, source.reader).ifPresent(jobs);
      }
    }
  }

  private void findAll(Path folder) throws IOException {
    try {
      find(folder);
    } catch (FileNotFoundException e) {
      throw new IOException(
          folder
              + " is not there. Name a folder with .jhist files or Spark's event logs, or a URI"
              + " such as hdfs://nn/mr-history/done",
          e);
    }
    for (List<Path> log : logs.values()) {
      orNote(log.get(0).toString(), () -> SparkEventLog.of(fs, log))
          .flatMap(source -> source)
          .ifPresent(found::add);
    }
    if (found.isEmpty() && notes.isEmpty()) {
      throw new IOException(
          folder
              + " holds neither .jhist files of MapReduce nor event logs of Spark"
              + " (spark.eventLog.dir)");
    }
  }

  private void find(Path folder) throws IOException {
    RemoteIterator<FileStatus> files = fs.listStatusIterator(folder);
    while (files.hasNext()) {
      FileStatus status = files.next();
      Path file = status.getPath();
      Optional<Source> history = jobHistory(file);
      if (status.isDirectory()) {
        try {
          find(file);
        } catch (IOException e) {
          notes.add(file + " cannot be listed: " + e.getMessage());
        }
      } else if (history.isPresent()) {
        found.add(history.get());
      } else {
        SparkEventLog.key(file)
            .ifPresent(log -> logs.computeIfAbsent(log, key -> new ArrayList<>()).add(file));
      }
    }
  }

  /** Reads something, or notes why it cannot be read and goes on: other jobs count on. */
  private <T> Optional<T> orNote(String what, Callable<T> reader) {
    try {
      return Optional.of(reader.call());
    } catch (Exception | StackOverflowError | OutOfMemoryError e) {
      notes.add(e instanceof IOException ? String.valueOf(e.getMessage()) : what + ": " + e);
      return Optional.empty();
    }
  }

  /** Returns the job of a {@code .jhist} file, by its name; empty for another file. */
  private Optional<Source> jobHistory(Path file) {
    Matcher name = JHIST.matcher(file.getName());
    if (!name.matches()) {
      return Optional.empty();
    }
    String id = name.group(1);
    long submitMillis = Long.parseLong(name.group(2));
    Callable<PastJob> reader =
        () -> {
          JobInfo job = read(file);
          String user = job.getUsername() == null ? "" : job.getUsername();
          return PastJob.of(id, submitMillis, user, tasks(job));
        };
    return Optional.of(new Source(id, submitMillis, reader));
  }

  private JobInfo read(Path file) throws IOException {
    JobHistoryParser parser;
    JobInfo job;
    try (FSDataInputStream raw = fs.open(file)) {
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

  /** Returns the job's tasks, each by the attempt that succeeded. */
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
