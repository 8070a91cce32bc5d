// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import io.temptier.cli.TimeRange;
import java.io.IOException;
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
import java.util.function.Consumer;
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
final class FolderTrace implements Trace {
  /** One job, which is read when it is its turn. */
  interface Source {
    String id();

    /** When it was submitted, milliseconds since 1970. */
    long submitMillis();

    /**
     * Reads it; a failure says which file.
     *
     * @param notes hears what of it does not count
     */
    TraceJob read(Consumer<String> notes) throws IOException;
  }

  private final FileSystem fs;
  private final List<String> notes = new ArrayList<>();
  private Iterator<Source> sources = Collections.emptyIterator();

  private FolderTrace(FileSystem fs) {
    this.fs = fs;
  }

  /**
   * Finds the jobs in a folder, such as {@code hdfs://nn/mr-history/done}, or a file. Of those that
   * were submitted at another time no more is read than when that was.
   */
  static FolderTrace open(Path folder, TimeRange time) throws IOException {
    FolderTrace trace = new FolderTrace(folder.getFileSystem(new Configuration()));
    trace.find(folder, time);
    return trace;
  }

  private void find(Path folder, TimeRange time) throws IOException {
    List<Source> found = new ArrayList<>();
    Map<String, List<Path>> logs = new TreeMap<>();
    Deque<Path> folders = new ArrayDeque<>();
    FileStatus top = fs.getFileStatus(folder);
    if (top.isFile()) {
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

  private void add(Path file, List<Source> found, Map<String, List<Path>> logs) {
    Optional<Source> history = JobHistory.of(fs, file);
    history.ifPresent(found::add);
    if (!history.isPresent()) {
      SparkEventLog.key(fs, file)
          .ifPresent(log -> logs.computeIfAbsent(log, any -> new ArrayList<>()).add(file));
    }
  }

  private static String why(String what, Exception e) {
    return e instanceof IOException ? String.valueOf(e.getMessage()) : what + ": " + e;
  }

  @Override
  public @Nullable TraceJob next() {
    while (sources.hasNext()) {
      Source source = sources.next();
      try {
        return source.read(notes::add);
      } catch (IOException | RuntimeException e) {
        notes.add(why(source.id(), e));
      }
    }
    return null;
  }

  @Override
  public List<String> notes() {
    return notes;
  }
}
