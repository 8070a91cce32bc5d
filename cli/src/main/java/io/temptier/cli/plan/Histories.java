// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import com.google.auto.value.AutoValue;
import io.temptier.cli.TimeRange;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Paths;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * What history servers keep below a folder of any file system of Hadoop's: {@code .jhist} files of
 * MapReduce and event logs of Spark. One that is torn, empty or may not be read is left out, and
 * said in the notes.
 */
final class Histories {
  /** One job, which is read when it is its turn. */
  @AutoValue
  abstract static class Source {
    abstract String id();

    /** When it was submitted, milliseconds since 1970. */
    abstract long submitMillis();

    abstract Reader<PastJob> reader();

    static Source of(String id, long submitMillis, Reader<PastJob> reader) {
      return new AutoValue_Histories_Source(id, submitMillis, reader);
    }
  }

  /** Reads files; a failure says which. */
  @FunctionalInterface
  interface Reader<T> {
    T read() throws IOException;
  }

  private final FileSystem fs;
  private final List<String> notes;
  private final List<Source> found = new ArrayList<>();

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
    histories.find(folder);
    histories.found.sort(Comparator.comparingLong(Source::submitMillis).thenComparing(Source::id));
    for (Source source : histories.found) {
      if (time.has(source.submitMillis())) {
        histories.orNote(source.id(), source.reader()).ifPresent(jobs);
      }
    }
  }

  private void find(Path folder) throws IOException {
    Map<String, List<Path>> logs = new TreeMap<>();
    Deque<Path> folders = new ArrayDeque<>();
    folders.add(folder);
    for (Path next = folders.poll(); next != null; next = folders.poll()) {
      try {
        RemoteIterator<FileStatus> files = fs.listStatusIterator(next);
        while (files.hasNext()) {
          FileStatus file = files.next();
          if (file.isDirectory()) {
            folders.add(file.getPath());
          } else {
            add(file.getPath(), logs);
          }
        }
      } catch (IOException e) {
        if (next.equals(folder)) {
          throw e instanceof FileNotFoundException
              ? new IOException(
                  folder
                      + " is not there. Name a folder with .jhist files or Spark's event logs, or a"
                      + " URI such as hdfs://nn/mr-history/done",
                  e)
              : e;
        }
        notes.add(next + " cannot be listed: " + e.getMessage());
      }
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

  private void add(Path file, Map<String, List<Path>> logs) {
    Optional<Source> history = JobHistory.of(fs, file);
    history.ifPresent(found::add);
    if (!history.isPresent()) {
      SparkEventLog.key(file)
          .ifPresent(log -> logs.computeIfAbsent(log, any -> new ArrayList<>()).add(file));
    }
  }

  /** What is read; empty where it cannot be, which leaves the other jobs. */
  private <T> Optional<T> orNote(String what, Reader<T> reader) {
    try {
      return Optional.of(reader.read());
    } catch (IOException e) {
      notes.add(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      notes.add(what + ": " + e);
    }
    return Optional.empty();
  }
}
