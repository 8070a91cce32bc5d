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
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import org.apache.hadoop.io.SecureIOUtils;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A segment whose data file is open: it stays readable wherever the file is moved. Counted by the
 * parts of it that are being read or sent; the last one closes the file.
 */
final class OpenSegment extends AbstractReferenceCounted {
  private static final Logger LOG = LoggerFactory.getLogger(OpenSegment.class);

  private final Segment segment;
  private final RandomAccessFile file;

  private OpenSegment(Segment segment, RandomAccessFile file) {
    this.segment = segment;
    this.file = file;
  }

  /**
   * Opens a segment's file, with Hadoop's check of its owner where security is on.
   *
   * @throws IOException when it is missing or not the user's
   */
  static OpenSegment open(Segment segment) throws IOException {
    return new OpenSegment(
        segment,
        SecureIOUtils.openForRandomRead(
            new File(segment.data().toString()), "r", segment.id().user(), null));
  }

  Segment segment() {
    return segment;
  }

  FileChannel channel() {
    return file.getChannel();
  }

  /** Tells the kernel that what was sent need not stay in memory, as Hadoop does. */
  void dropFromPageCache() {
    try {
      if (segment.length() > 0 && file.getFD().valid()) {
        NativeIO.POSIX
            .getCacheManipulator()
            .posixFadviseIfPossible(
                segment.data().toString(),
                file.getFD(),
                segment.offset(),
                segment.length(),
                NativeIO.POSIX.POSIX_FADV_DONTNEED);
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("Cannot drop {} from the page cache", segment.data(), e);
    }
  }

  @Override
  protected void deallocate() {
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
