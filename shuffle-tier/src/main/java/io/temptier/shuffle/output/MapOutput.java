// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.output;

import com.google.auto.value.AutoValue;
import io.temptier.shuffle.lane.DeviceLane;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.mapred.IndexRecord;

/** A map output that was found. */
@AutoValue
public abstract class MapOutput {

  /** What an entry costs besides its index and its path: objects and maps, rounded up. */
  private static final int OVERHEAD_BYTES = 400;

  public abstract MapOutputId id();

  /** Its data file, no link. */
  public abstract Path data();

  /** Of that file, to know it again. */
  public abstract Object dataKey();

  /** Of that file. */
  abstract long dataBytes();

  public abstract DeviceLane lane();

  public abstract OutputIndex index();

  /** What of it was brought into the page cache. */
  public abstract WarmBlocks warm();

  public static MapOutput of(
      MapOutputId id,
      Path data,
      Object dataKey,
      long dataBytes,
      DeviceLane lane,
      OutputIndex index,
      WarmBlocks warm) {
    return new AutoValue_MapOutput(id, data, dataKey, dataBytes, lane, index, warm);
  }

  /**
   * Where a partition lies.
   *
   * @throws IOException when there is no such partition, worded as Hadoop does, which says nothing
   *     of a negative one; or when it does not lie in the file
   */
  public IndexRecord record(int partition) throws IOException {
    if (partition < 0) {
      throw new IOException("");
    }
    if (partition >= index().size()) {
      throw new IOException(
          "Invalid request  Map Id = "
              + id().attempt()
              + " Reducer = "
              + partition
              + " Index Info Length = "
              + index().size());
    }
    return index().getIndex(partition, dataBytes());
  }

  /** About what it takes in memory, in bytes. */
  int bytes() {
    return index().bytes() + data().toString().length() * 2 + OVERHEAD_BYTES;
  }
}
