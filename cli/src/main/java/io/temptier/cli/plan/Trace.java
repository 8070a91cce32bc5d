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
    return Files.isDirectory(path) ? JobHistoryTrace.open(path) : RumenTrace.open(path);
  }

  @Override
  default void close() throws IOException {}
}
