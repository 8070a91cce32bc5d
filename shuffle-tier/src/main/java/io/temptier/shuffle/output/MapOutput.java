// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.output;

import io.temptier.shuffle.lane.DeviceLane;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.hadoop.mapred.IndexRecord;

/**
 * A map output that was found: the place of its data, its index, and which blocks of the data a
 * lane brought into the page cache a moment ago. What lies in warm blocks on a fast device is sent
 * without another trip to the lane: reducers ask for neighbouring segments at about the same time,
 * and the trip costs more than the read. On a slow one it is read by itself, without what is around
 * it.
 *
 * <p>The kernel may drop pages sooner than we forget them; then a read of a fast device, and of
 * none else, happens on an event loop. Equal to itself alone. Safe for use by many threads.
 */
final class MapOutput {
  static final long BLOCK_BYTES = 256 << 10;

  /** Time that a block counts as warm: short enough that only a machine out of memory drops it. */
  static final long WARM_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** More warm blocks are not remembered. */
  private static final int MOST_BLOCKS = 256;

  /** Bytes of an entry besides its index and its path: objects and maps, rounded up. */
  private static final int OVERHEAD_BYTES = 400;

  final MapOutputId id;
  final Path data;
  final Object dataKey;
  private final long dataBytes;
  final DeviceLane lane;
  final OutputIndex index;
  private final Map<Long, Long> warmedNanos = new ConcurrentHashMap<>();

  /** No block is warm yet. The data file is no link, and known again by its key. */
  MapOutput(
      MapOutputId id,
      Path data,
      Object dataKey,
      long dataBytes,
      DeviceLane lane,
      OutputIndex index) {
    this.id = id;
    this.data = data;
    this.dataKey = dataKey;
    this.dataBytes = dataBytes;
    this.lane = lane;
    this.index = index;
  }

  /**
   * Returns the index record of a partition.
   *
   * @throws IOException when there is no such partition, worded as Hadoop does, which says nothing
   *     of a negative one; or when it does not lie in the file
   */
  IndexRecord record(int partition) throws IOException {
    if (partition < 0) {
      throw new IOException("");
    }
    if (partition >= index.size()) {
      throw new IOException(
          "Invalid request  Map Id = "
              + id.attempt()
              + " Reducer = "
              + partition
              + " Index Info Length = "
              + index.size());
    }
    return index.getIndex(partition, dataBytes);
  }

  int bytes() {
    return index.bytes() + data.toString().length() * 2 + OVERHEAD_BYTES;
  }

  void warmed(long block) {
    if (warmedNanos.size() >= MOST_BLOCKS) {
      warmedNanos.clear();
    }
    warmedNanos.put(block, System.nanoTime());
  }

  /** The blocks of a stretch that are not warm; one that is empty has the block it begins in. */
  LongStream coldBlocks(long from, long to) {
    long last = Math.max(from, to - 1) / BLOCK_BYTES;
    return LongStream.rangeClosed(from / BLOCK_BYTES, last).filter(block -> !isWarm(block));
  }

  private boolean isWarm(long block) {
    Long warmed = warmedNanos.get(block);
    return warmed != null && System.nanoTime() - warmed < WARM_NANOS;
  }

  boolean isWarm(long from, long to) {
    return !coldBlocks(from, to).findAny().isPresent();
  }
}
