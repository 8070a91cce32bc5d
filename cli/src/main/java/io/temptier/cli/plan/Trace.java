// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import io.temptier.cli.TimeRange;
import io.temptier.tier.lang.Immutable;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

/** Jobs in the order they were submitted, one at a time, so that a long trace fits in memory. */
public interface Trace extends Closeable {
  /** The next job, or null after the last; it fails when the jobs are not in order. */
  @Nullable TraceJob next() throws IOException;

  /** What so far does not count, or not as it is: which file or job, and why. For people. */
  default List<String> notes() {
    return Immutable.listOf();
  }

  /** Opens a trace of Rumen's {@code TraceBuilder}, or a folder with the history of jobs. */
  static Trace open(Path path) throws IOException {
    return open(path.toString(), TimeRange.ALL);
  }

  /**
   * The same, here or at a URI in a file system of Hadoop's, of the jobs that were submitted in
   * some time.
   */
  static Trace open(String place, TimeRange time) throws IOException {
    if (place.contains("://")) {
      return FolderTrace.open(new org.apache.hadoop.fs.Path(place), time);
    }
    Path path = Paths.get(place);
    if (!Files.exists(path)) {
      throw new IOException(
          path.toAbsolutePath()
              + " is not there. Name a folder with .jhist files or Spark's event logs, a trace of"
              + " Rumen's TraceBuilder, or a URI such as hdfs://nn/mr-history/done");
    }
    if (!Files.isReadable(path)) {
      throw new IOException(
          String.format(
              "user %s may not read %s. Run this as a user who may, such as the history server's",
              System.getProperty("user.name"), path.toAbsolutePath()));
    }
    org.apache.hadoop.fs.Path asHadoops = new org.apache.hadoop.fs.Path(path.toUri());
    FileSystem local = FileSystem.getLocal(new Configuration());
    return Files.isDirectory(path) || SparkEventLog.key(local, asHadoops).isPresent()
        ? FolderTrace.open(asHadoops, time)
        : RumenTrace.open(path, time);
  }

  static Trace of(List<TraceJob> jobs) {
    Iterator<TraceJob> each = jobs.iterator();
    return () -> each.hasNext() ? each.next() : null;
  }

  @Override
  default void close() throws IOException {}
}
