// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Jobs in the order they were submitted, one at a time, so that a long trace fits in memory. */
public interface Trace extends Closeable {
  /**
   * The next job, or null after the last.
   *
   * @throws IOException when the trace cannot be read, or its jobs are not in order
   */
  @Nullable TraceJob next() throws IOException;

  /**
   * Opens a trace of Rumen's {@code TraceBuilder}, or a folder with the history of jobs.
   *
   * @throws IOException when it cannot be read
   */
  static Trace open(Path path) throws IOException {
    return open(path.toString(), Days.ALL);
  }

  /**
   * The same, of the jobs of some days.
   *
   * @param place a path of this machine, or a URI of a folder in a file system of Hadoop's
   */
  static Trace open(String place, Days days) throws IOException {
    if (place.contains("://")) {
      return JobHistoryTrace.open(new org.apache.hadoop.fs.Path(place), days);
    }
    Path path = Path.of(place);
    return Files.isDirectory(path)
        ? JobHistoryTrace.open(new org.apache.hadoop.fs.Path(path.toUri()), days)
        : days.of(RumenTrace.open(path));
  }

  @Override
  default void close() throws IOException {}
}
