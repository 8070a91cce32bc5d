// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.netty.buffer.ByteBuf;
import io.temptier.shuffle.output.MapOutputId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.apache.hadoop.mapred.ShuffleChannelHandler;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleHeader;

/**
 * One reducer's part of a map output.
 *
 * @param id the output
 * @param partition the reducer's number
 * @param partitions how many the output has
 * @param data the data file
 * @param dataKey of that file, to know it again
 * @param lane the way to its device
 * @param offset where the segment begins in the file, in bytes
 * @param length its bytes in the file, compressed and with checksums
 * @param rawLength its bytes uncompressed
 * @param runStart where the partitions before it begin that nobody fetched yet, in bytes
 * @param runEnd where those after it end: what is read around the segment between the two will be
 *     asked for soon
 * @param warm what of the file was brought into the page cache
 */
record Segment(
    MapOutputId id,
    int partition,
    int partitions,
    Path data,
    Object dataKey,
    DeviceLane lane,
    long offset,
    long length,
    long rawLength,
    long runStart,
    long runEnd,
    WarmBlocks warm) {
  /** What memory for its bytes is taken for. */
  SegmentMemory.DeviceRead read() {
    return new SegmentMemory.DeviceRead(id, lane);
  }

  /** Where it ends in the file, in bytes. */
  long end() {
    return offset + length;
  }

  /** Whether a stretch of the file can be sent without another trip to the lane. */
  boolean isWarm(long from, long to) {
    return !lane.slow() && warm.isWarm(from, to);
  }

  /** Whether its first part can be. */
  boolean beginsWarm() {
    return isWarm(offset, firstPartEnd());
  }

  /** Where its first part ends in the file, in bytes. */
  long firstPartEnd() {
    return offset + Math.min(length, HandlerContext.PART_BYTES);
  }

  /** Hadoop's header before it on the wire. */
  ByteBuf header() {
    try {
      return ShuffleChannelHandler.shuffleHeaderToBytes(
          new ShuffleHeader(id.attempt(), length, rawLength, partition));
    } catch (IOException e) {
      throw new UncheckedIOException("written to memory", e);
    }
  }
}
