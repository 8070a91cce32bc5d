// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCounted;
import io.temptier.shuffle.output.OutputFile;
import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.channels.FileChannel;
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
  private final OpenFile open;

  /** A segment of a file; takes one reference to the file over. */
  OpenSegment(Segment segment, OpenFile open) {
    this.segment = segment;
    this.open = open;
  }

  /**
   * Opens a segment's file. On a lane only.
   *
   * @throws IOException when it is missing or not the user's
   */
  static OpenSegment open(Segment segment) throws IOException {
    return new OpenSegment(
        segment,
        new OpenFile(
            OutputFile.open(segment.data(), segment.dataKey(), segment.id().user()), segment));
  }

  Segment segment() {
    return segment;
  }

  FileChannel channel() {
    return open.file().channel();
  }

  /** The file, held by this. */
  OpenFile file() {
    return open;
  }

  /** Tells the kernel that what was sent need not stay in memory, as Hadoop does. */
  void dropFromPageCache() {
    try {
      FileDescriptor descriptor = open.file().descriptor();
      if (segment.length() > 0 && descriptor != null && descriptor.valid()) {
        NativeIO.POSIX
            .getCacheManipulator()
            .posixFadviseIfPossible(
                segment.data().toString(),
                descriptor,
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
    open.release();
  }

  @Override
  public ReferenceCounted touch(Object hint) {
    return this;
  }
}
