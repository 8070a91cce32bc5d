// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCounted;
import io.temptier.shuffle.output.OutputFile;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A data file that is open. When nobody holds it any more it is closed, on its lane: a network file
 * system waits for its server at that, too.
 */
final class OpenFile extends AbstractReferenceCounted {
  private static final Logger LOG = LoggerFactory.getLogger(OpenFile.class);

  private final OutputFile.Opened file;
  private final Segment segment;

  /** Held by the caller. */
  OpenFile(OutputFile.Opened file, Segment segment) {
    this.file = file;
    this.segment = segment;
  }

  OutputFile.Opened file() {
    return file;
  }

  @Override
  protected void deallocate() {
    try {
      segment.lane().submit(LaneQueue.Job.lookUp(segment.id().user(), this::close));
    } catch (RejectedExecutionException e) {
      close();
    }
  }

  private void close() {
    try {
      file.close();
    } catch (IOException e) {
      LOG.warn("Cannot close {}", segment.data(), e);
    }
  }

  @Override
  public ReferenceCounted touch(Object hint) {
    return this;
  }
}
