// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import io.temptier.cli.TimeRange;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Paths;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.jspecify.annotations.Nullable;

/**
 * What history servers keep below a folder of any file system of Hadoop's: {@code .jhist} files of
 * MapReduce and event logs of Spark, in the order of submission. One that is torn, empty or may not
 * be read is left out, and said in the {@link #notes()}.
 */
final class Histories implements Replay.Jobs {
  /** One job, which is read when it is its turn. */
  interface Source {
    String id();

    /** When it was submitted, milliseconds since 1970. */
    long submitMillis();

    /** Reads it; a failure says which file. */
    PastJob read() throws IOException;
  }

  private final FileSystem fs;
  private final List<String> notes = new ArrayList<>();
  private Iterator<Source> sources = Collections.emptyIterator();

  private Histories(FileSystem fs) {
    this.fs = fs;
  }

  /**
   * Finds the jobs in a folder or a file, here or at a URI such as {@code
   * hdfs://nn/mr-history/done}. Of those that were submitted at another time no more is read than
   * when that was.
   */
  static Histories open(String place, TimeRange time) throws IOException {
    Path folder = place.contains("://") ? new Path(place) : new Path(Paths.get(place).toUri());
    Histories histories = new Histories(folder.getFileSystem(new Configuration()));
    histories.find(folder, time);
    return histories;
  }

  private void find(Path folder, TimeRange time) throws IOException {
    List<Source> found = new ArrayList<>();
    Map<String, List<Path>> logs = new TreeMap<>();
    Deque<Path> folders = new ArrayDeque<>();
    if (isFile(folder)) {
      add(folder, found, logs);
    } else {
      folders.add(folder);
    }
    for (Path next = folders.poll(); next != null; next = folders.poll()) {
      try {
        RemoteIterator<FileStatus> files = fs.listStatusIterator(next);
        while (files.hasNext()) {
          FileStatus file = files.next();
          if (file.isDirectory()) {
            folders.add(file.getPath());
          } else {
            add(file.getPath(), found, logs);
          }
        }
      } catch (IOException e) {
        if (next.equals(folder)) {
          throw e;
        }
        notes.add(next + " cannot be listed: " + e.getMessage());
      }
    }
    for (List<Path> log : logs.values()) {
      try {
        SparkEventLog.of(fs, log).ifPresent(found::add);
      } catch (IOException | RuntimeException e) {
        notes.add(why(log.get(0).toString(), e));
      }
    }
    if (found.isEmpty() && notes.isEmpty()) {
      throw new IOException(
          folder
              + " holds neither .jhist files of MapReduce nor event logs of Spark"
              + " (spark.eventLog.dir)");
    }
    sources =
        found.stream()
            .filter(source -> time.has(source.submitMillis()))
            .sorted(Comparator.comparingLong(Source::submitMillis).thenComparing(Source::id))
            .iterator();
  }

  private boolean isFile(Path place) throws IOException {
    try {
      return fs.getFileStatus(place).isFile();
    } catch (FileNotFoundException e) {
      throw new IOException(
          place
              + " is not there. Name a folder with .jhist files or Spark's event logs, or a URI"
              + " such as hdfs://nn/mr-history/done",
          e);
    }
  }

  private void add(Path file, List<Source> found, Map<String, List<Path>> logs) {
    Optional<Source> history = JobHistory.of(fs, file);
    history.ifPresent(found::add);
    if (!history.isPresent()) {
      SparkEventLog.key(file)
          .ifPresent(log -> logs.computeIfAbsent(log, any -> new ArrayList<>()).add(file));
    }
  }

  private static String why(String what, Exception e) {
    return e instanceof IOException ? String.valueOf(e.getMessage()) : what + ": " + e;
  }

  @Override
  public @Nullable PastJob next() {
    while (sources.hasNext()) {
      Source source = sources.next();
      try {
        return source.read();
      } catch (IOException | RuntimeException e) {
        notes.add(why(source.id(), e));
      }
    }
    return null;
  }

  /** What so far does not count: which file or job, and why. For people. */
  List<String> notes() {
    return notes;
  }
}
