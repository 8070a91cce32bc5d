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
    place(id, bytes.size());
    // Not through put, which does not know the size.
    super.put(
        id,
        channel -> {
          bytes.writeFully(channel);
          return BoxedUnit.UNIT;
        });
    settle(id);
  }

  @Override
  public void put(BlockId id, Function1<WritableByteChannel, BoxedUnit> write) {
    place(id, BlockPlaces.UNKNOWN_SIZE);
    super.put(id, write);
    settle(id);
  }

  private void place(BlockId id, long bytes) {
    if (manager != null && !contains(id)) {
      manager.place(id, bytes);
    }
  }

  private void settle(BlockId id) {
    if (manager != null) {
      manager.settle(id);
    }
  }
}
