// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import com.google.auto.value.AutoValue;
import io.netty.buffer.ByteBuf;
import io.temptier.shuffle.output.MapOutputId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.apache.hadoop.mapred.ShuffleChannelHandler;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleHeader;

/** One reducer's part of a map output. */
@AutoValue
abstract class Segment {
  /** The output. */
  abstract MapOutputId id();

  /** The reducer's number. */
  abstract int partition();

  /** How many the output has. */
  abstract int partitions();

  /** The data file. */
  abstract Path data();

  /** Of that file, to know it again. */
  abstract Object dataKey();

  /** The way to its device. */
  abstract DeviceLane lane();

  /** Where the segment begins in the file, in bytes. */
  abstract long offset();

  /** Its bytes in the file, compressed and with checksums. */
  abstract long length();

  /** Its bytes uncompressed. */
  abstract long rawLength();

  /** Where the partitions before it begin that nobody fetched yet, in bytes. */
  abstract long runStart();

  /**
   * Where those after it end: what is read around the segment between the two will be asked for
   * soon.
   */
  abstract long runEnd();

  /** What of the file was brought into the page cache. */
  abstract WarmBlocks warm();

  static Segment of(
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
    return new AutoValue_Segment(
        id,
        partition,
        partitions,
        data,
        dataKey,
        lane,
        offset,
        length,
        rawLength,
        runStart,
        runEnd,
        warm);
  }

  /** What memory for its bytes is taken for. */
  SegmentMemory.DeviceRead read() {
    return SegmentMemory.DeviceRead.of(id(), lane());
  }

  /** Where it ends in the file, in bytes. */
  long end() {
    return offset() + length();
  }

  /** Whether a stretch of the file can be sent without another trip to the lane. */
  boolean isWarm(long from, long to) {
    return !lane().slow() && warm().isWarm(from, to);
  }

  /** Whether its first part can be. */
  boolean beginsWarm() {
    return isWarm(offset(), firstPartEnd());
  }

  /** Where its first part ends in the file, in bytes. */
  long firstPartEnd() {
    return offset() + Math.min(length(), HandlerContext.PART_BYTES);
  }

  /** Hadoop's header before it on the wire. */
  ByteBuf header() {
    try {
      return ShuffleChannelHandler.shuffleHeaderToBytes(
          new ShuffleHeader(id().attempt(), length(), rawLength(), partition()));
    } catch (IOException e) {
      throw new UncheckedIOException("written to memory", e);
    }
  }
}
