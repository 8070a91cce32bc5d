// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import io.temptier.cli.TimeRange;
import io.temptier.tier.Immutable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.jspecify.annotations.Nullable;

/**
 * What history servers keep below a folder of any file system of Hadoop's: {@code .jhist} files of
 * MapReduce and event logs of Spark, in the order of submission.
 */
final class FolderTrace implements Trace {
  /** One job, which is read when it is its turn. */
  interface Source {
    String id();

    /** When it was submitted, milliseconds since 1970. */
    long submitMillis();

    /** Reads it; a failure says which file. */
    TraceJob read() throws IOException;
  }

  private final Iterator<Source> sources;

  private FolderTrace(List<Source> sources) {
    this.sources = sources.iterator();
  }

  /**
   * Finds the jobs in a folder, such as {@code hdfs://nn/mr-history/done}, or a file. Of those that
   * were submitted at another time no more is read than when that was.
   */
  static FolderTrace open(Path folder, TimeRange time) throws IOException {
    FileSystem fs = folder.getFileSystem(new Configuration());
    List<Source> sources = new ArrayList<>();
    Map<String, List<Path>> logs = new TreeMap<>();
    RemoteIterator<LocatedFileStatus> files = fs.listFiles(folder, true);
    while (files.hasNext()) {
      Path file = files.next().getPath();
      JobHistory.of(fs, file).ifPresent(sources::add);
      SparkEventLog.key(file)
          .ifPresent(log -> logs.computeIfAbsent(log, any -> new ArrayList<>()).add(file));
    }
    for (List<Path> log : logs.values()) {
      SparkEventLog.of(fs, log).ifPresent(sources::add);
    }
    if (sources.isEmpty()) {
      throw new IOException(
          folder
              + " holds neither .jhist files of MapReduce nor event logs of Spark"
              + " (spark.eventLog.dir)");
    }
    return new FolderTrace(
        sources.stream()
            .filter(source -> time.has(source.submitMillis()))
            .sorted(Comparator.comparingLong(Source::submitMillis).thenComparing(Source::id))
            .collect(Immutable.toList()));
  }

  @Override
  public @Nullable TraceJob next() throws IOException {
    return sources.hasNext() ? sources.next().read() : null;
  }
}
