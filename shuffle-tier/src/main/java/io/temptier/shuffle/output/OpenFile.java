// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.output;

import static io.temptier.shuffle.output.MapOutput.BLOCK_BYTES;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.FileRegion;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCounted;
import io.temptier.tier.text.Sizes;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A data file that is open: it stays readable wherever it is moved. Counted by the parts of it that
 * are being read or sent. When nobody holds it any more it is closed, on its lane: a network file
 * system waits for its server at that, too.
 *
 * <p><b>Warming.</b> A part of a fast segment is sent to {@code /dev/null} by {@code sendfile}: the
 * kernel brings its pages into the page cache and copies nothing. The event loop can then send it
 * without waiting. Whole blocks are brought in, since the neighbours will be asked for soon.
 *
 * <p><b>Reading.</b> A part of a slow segment is read into memory, since pages in the cache may be
 * gone again before they are sent, and the event loop would wait. First the whole stretch of the
 * file around it is brought into the page cache, by one read, as far as nobody fetched it yet: the
 * seek is paid, and the neighbours will be asked for soon. Stretches lie at multiples of their
 * length, so that two never overlap; were each to begin where a segment does, all but the first
 * would ask the disk for the little that the one before it left out. One large read also lets the
 * kernel ask the disk for more at a time than its readahead setting. A lane's thread takes one
 * stretch of memory meanwhile, beside what segments in flight may take.
 */
final class OpenFile extends AbstractReferenceCounted {
  private static final Logger LOG = LoggerFactory.getLogger(OpenFile.class);

  /** Takes what is brought into the page cache. */
  private static final FileChannel NOWHERE = openNullDevice();

  private final FileChannel file;
  final MapOutput output;

  private OpenFile(FileChannel file, MapOutput output) {
    this.file = file;
    this.output = output;
  }

  private static FileChannel openNullDevice() {
    try {
      return FileChannel.open(Paths.get("/dev/null"), StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Opens an output's data, held by the caller, if it is the user's. On a lane only. */
  static OpenFile open(MapOutput output) throws IOException {
    return new OpenFile(OutputFile.open(output.data, output.dataKey, output.id.user()), output);
  }

  /**
   * A stretch that a lane has brought into the page cache: the event loop sends it from there
   * without a copy, and without waiting for the device. Takes one reference to the file over.
   */
  FileRegion region(long position, long count) {
    return new DefaultFileRegion(file, position, count) {
      @Override
      protected void deallocate() {
        OpenFile.this.release();
      }
    };
  }

  /**
   * Brings the blocks that hold a part of the file into the page cache, but for those that were
   * brought in a moment ago. On a lane only.
   */
  void warm(long from, long to) throws IOException {
    for (long block : output.coldBlocks(from, to).toArray()) {
      bringIn(block * BLOCK_BYTES);
      output.warmed(block);
    }
  }

  private void bringIn(long position) throws IOException {
    long done = 0;
    long sent = 1;
    // Ends early at the end of the file; a file that is too short shows when it is sent.
    while (sent > 0 && done < BLOCK_BYTES) {
      sent = file.transferTo(position + done, BLOCK_BYTES - done, NOWHERE);
      done += sent;
    }
  }

  /**
   * Reads a part of a segment. On a lane only, unless the part is warm.
   *
   * @param stretch bytes to bring into the page cache around it, a multiple of a block; 0 for none
   * @return the part, to be released by the caller
   * @throws IOException when it cannot be read, or the file is too short
   */
  ByteBuf read(Segment segment, long position, int bytes, int stretch) throws IOException {
    long end = position + bytes;
    if (stretch > 0) {
      // A broken index may say positions beyond which there is no number.
      for (long from = position; from < end; ) {
        long inStretch = stretch - from % stretch;
        long to = end - from <= inStretch ? end : from + inStretch;
        bringInAround(segment, from, to, stretch);
        from = to;
      }
    }
    ByteBuf part = ByteBufAllocator.DEFAULT.directBuffer(bytes, bytes);
    try {
      fill(part, position, bytes);
      return part.writerIndex(bytes);
    } catch (IOException | RuntimeException | Error e) {
      part.release();
      throw e;
    }
  }

  /** Brings in the stretch that holds a part of the file, if that was not done a moment ago. */
  private void bringInAround(Segment segment, long from, long to, int stretch) throws IOException {
    long start = from - from % stretch;
    if (output.isWarm(from, to)) {
      return;
    }
    // Never less than the part, whatever a broken index says.
    long begin = Math.min(from, Math.max(start, segment.runStart));
    long limit = Sizes.sum(start, stretch);
    long end = Math.max(to, Math.min(limit, segment.runEnd));
    if (begin < from || end > to) {
      ByteBuf around = ByteBufAllocator.DEFAULT.directBuffer((int) (end - begin));
      try {
        fill(around, begin, (int) (to - begin));
      } finally {
        around.release();
      }
    }
    for (long block = start / BLOCK_BYTES; block < limit / BLOCK_BYTES; block++) {
      output.warmed(block);
    }
  }

  /** Reads as much as the buffer takes, until there are {@code least} bytes in it. */
  private void fill(ByteBuf buffer, long position, int least) throws IOException {
    int done = 0;
    while (done < least) {
      int read = buffer.setBytes(done, file, position + done, buffer.capacity() - done);
      if (read < 0) {
        throw new EOFException(
            output.data + " ends before byte " + (position + least) + " of a segment in its index");
      }
      done += read;
    }
  }

  @Override
  protected void deallocate() {
    try {
      output.lane.lookUp(output.id.user(), this::close);
    } catch (RejectedExecutionException e) {
      close();
    }
  }

  private void close() {
    try {
      file.close();
    } catch (IOException e) {
      LOG.warn("Cannot close {}", output.data, e);
    }
  }

  @Override
  public ReferenceCounted touch(Object hint) {
    return this;
  }
}
