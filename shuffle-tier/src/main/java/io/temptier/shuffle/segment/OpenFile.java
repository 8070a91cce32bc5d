// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.segment;

import io.netty.channel.DefaultFileRegion;
import io.netty.channel.FileRegion;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCounted;
import io.temptier.shuffle.lane.LaneQueue;
import io.temptier.shuffle.output.MapOutput;
import io.temptier.shuffle.output.OutputFile;
import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A data file that is open: it stays readable wherever it is moved. Counted by the parts of it that
 * are being read or sent. When nobody holds it any more it is closed, on its lane: a network file
 * system waits for its server at that, too.
 */
final class OpenFile extends AbstractReferenceCounted {
  private static final Logger LOG = LoggerFactory.getLogger(OpenFile.class);

  private final OutputFile.Opened file;
  private final MapOutput output;

  private OpenFile(OutputFile.Opened file, MapOutput output) {
    this.file = file;
    this.output = output;
  }

  /**
   * Opens an output's data, held by the caller. On a lane only.
   *
   * @throws IOException when it is missing or not the user's
   */
  static OpenFile open(MapOutput output) throws IOException {
    return new OpenFile(
        OutputFile.open(output.data(), output.dataKey(), output.id().user()), output);
  }

  MapOutput output() {
    return output;
  }

  FileChannel channel() {
    return file.channel();
  }

  /**
   * A stretch that a lane has brought into the page cache: the event loop sends it from there
   * without a copy, and without waiting for the device. Takes one reference to the file over.
   */
  FileRegion region(long position, long count) {
    return new DefaultFileRegion(channel(), position, count) {
      @Override
      protected void deallocate() {
        OpenFile.this.release();
      }
    };
  }

  /** Tells the kernel that a stretch of it need not stay in memory. */
  void dropFromPageCache(long offset, long length) {
    try {
      FileDescriptor descriptor = file.descriptor();
      if (length > 0 && descriptor != null && descriptor.valid()) {
        NativeIO.POSIX
            .getCacheManipulator()
            .posixFadviseIfPossible(
                output.data().toString(),
                descriptor,
                offset,
                length,
                NativeIO.POSIX.POSIX_FADV_DONTNEED);
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("Cannot drop {} from the page cache", output.data(), e);
    }
  }

  @Override
  protected void deallocate() {
    try {
      output.lane().submit(LaneQueue.Job.lookUp(output.id().user(), this::close));
    } catch (RejectedExecutionException e) {
      close();
    }
  }

  private void close() {
    try {
      file.close();
    } catch (IOException e) {
      LOG.warn("Cannot close {}", output.data(), e);
    }
  }

  @Override
  public ReferenceCounted touch(Object hint) {
    return this;
  }
}
