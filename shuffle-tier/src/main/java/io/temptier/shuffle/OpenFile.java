/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.shuffle;

import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCounted;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A data file that is open. When nobody holds it any more it is closed, on its lane: a network file
 * system waits for its server at that, too.
 */
final class OpenFile extends AbstractReferenceCounted {
  private static final Logger LOG = LoggerFactory.getLogger(OpenFile.class);

  private final RandomAccessFile file;
  private final Segment segment;

  /** Held by the caller. */
  OpenFile(RandomAccessFile file, Segment segment) {
    this.file = file;
    this.segment = segment;
  }

  RandomAccessFile file() {
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
