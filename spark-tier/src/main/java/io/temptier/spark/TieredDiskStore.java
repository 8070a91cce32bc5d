// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import java.nio.channels.WritableByteChannel;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.DiskBlockManager;
import org.apache.spark.storage.DiskStore;
import org.apache.spark.util.io.ChunkedByteBuffer;
import org.jspecify.annotations.Nullable;
import scala.Function1;
import scala.runtime.BoxedUnit;

/** Stores blocks as Spark does, in the place that a tier has for them. */
class TieredDiskStore extends DiskStore {
  private @Nullable TieredDiskBlockManager manager;

  /** One that stores as Spark does. */
  TieredDiskStore(SparkConf conf, DiskBlockManager manager, SecurityManager security) {
    super(conf, manager, security);
  }

  void placeBy(TieredDiskBlockManager by) {
    manager = by;
  }

  @Override
  public void putBytes(BlockId id, ChunkedByteBuffer bytes) {
    put(
        id,
        bytes.size(),
        channel -> {
          bytes.writeFully(channel);
          return BoxedUnit.UNIT;
        });
  }

  @Override
  public void put(BlockId id, Function1<WritableByteChannel, BoxedUnit> write) {
    put(id, BlockPlaces.UNKNOWN_SIZE, write);
  }

  private void put(BlockId id, long bytes, Function1<WritableByteChannel, BoxedUnit> write) {
    TieredDiskBlockManager by = manager;
    if (by == null) {
      super.put(id, write);
      return;
    }
    if (!contains(id)) {
      by.place(id, bytes);
    }
    super.put(
        id,
        channel -> {
          // Computing the next row may take longer than any file stays unchanged otherwise.
          by.getFile(id).setExecutable(true);
          return write.apply(channel);
        });
    by.getFile(id).setExecutable(false);
    by.settle(id);
  }
}
