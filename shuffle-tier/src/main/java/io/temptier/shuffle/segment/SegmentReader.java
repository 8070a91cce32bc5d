// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.segment;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.temptier.shuffle.output.WarmBlocks;
import io.temptier.tier.text.Sizes;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;

/**
 * What lanes do with a device. All of it may wait for the device, and is called on lanes only.
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
final class SegmentReader {
  /** Takes what is brought into the page cache. */
  private static final FileChannel NOWHERE = openNullDevice();

  private SegmentReader() {}

  private static FileChannel openNullDevice() {
    try {
      return FileChannel.open(Paths.get("/dev/null"), StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Brings the blocks that hold a part of the file into the page cache, but for those that were
   * brought in a moment ago.
   */
  static void warm(OpenFile file, long from, long to) throws IOException {
    WarmBlocks warm = file.output().warm();
    for (long block = WarmBlocks.firstBlock(from);
        block <= WarmBlocks.lastBlock(from, to);
        block++) {
      if (!warm.isWarm(block)) {
        bringIn(file.channel(), block * WarmBlocks.BLOCK_BYTES);
        warm.warmed(block);
      }
    }
  }

  private static void bringIn(FileChannel file, long position) throws IOException {
    long done = 0;
    long sent = 1;
    // Ends early at the end of the file; a file that is too short shows when it is sent.
    while (sent > 0 && done < WarmBlocks.BLOCK_BYTES) {
      sent = file.transferTo(position + done, WarmBlocks.BLOCK_BYTES - done, NOWHERE);
      done += sent;
    }
  }

  /**
   * Reads a part of a segment's file.
   *
   * @param stretch bytes to bring into the page cache around it, a multiple of a block; 0 for none
   * @return the part, to be released by the caller
   * @throws IOException when it cannot be read, or the file is too short
   */
  static ByteBuf read(OpenFile file, Segment segment, long position, int bytes, int stretch)
      throws IOException {
    long end = position + bytes;
    if (stretch > 0) {
      // A broken index may say positions beyond which there is no number.
      for (long from = position; from < end; ) {
        long inStretch = stretch - from % stretch;
        long to = end - from <= inStretch ? end : from + inStretch;
        bringInAround(file, segment, from, to, stretch);
        from = to;
      }
    }
    ByteBuf part = ByteBufAllocator.DEFAULT.directBuffer(bytes, bytes);
    boolean whole = false;
    try {
      fill(part, file, position, bytes);
      part.writerIndex(bytes);
      whole = true;
      return part;
    } finally {
      if (!whole) {
        part.release();
      }
    }
  }

  /** Brings in the stretch that holds a part of the file, if that was not done a moment ago. */
  private static void bringInAround(OpenFile file, Segment segment, long from, long to, int stretch)
      throws IOException {
    WarmBlocks warm = file.output().warm();
    long start = from - from % stretch;
    if (warm.isWarm(from, to)) {
      return;
    }
    // Never less than the part, whatever a broken index says.
    long begin = Math.min(from, Math.max(start, segment.runStart()));
    long limit = Sizes.sum(start, stretch);
    long end = Math.max(to, Math.min(limit, segment.runEnd()));
    if (begin < from || end > to) {
      ByteBuf around = ByteBufAllocator.DEFAULT.directBuffer((int) (end - begin));
      try {
        fill(around, file, begin, (int) (to - begin));
      } finally {
        around.release();
      }
    }
    for (long block = WarmBlocks.firstBlock(start); block < WarmBlocks.firstBlock(limit); block++) {
      warm.warmed(block);
    }
  }

  /** Reads as much as the buffer takes, until there are {@code least} bytes in it. */
  private static void fill(ByteBuf buffer, OpenFile file, long position, int least)
      throws IOException {
    int done = 0;
    while (done < least) {
      int read = buffer.setBytes(done, file.channel(), position + done, buffer.capacity() - done);
      if (read < 0) {
        throw new EOFException(
            file.output().data()
                + " ends before byte "
                + (position + least)
                + " of a segment in its index");
      }
      done += read;
    }
  }
}
