// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import io.temptier.tier.demotion.ColdBlocks;
import java.nio.channels.WritableByteChannel;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.DiskStore;
import org.apache.spark.util.io.ChunkedByteBuffer;
import scala.Function1;
import scala.runtime.BoxedUnit;

/** Stores blocks as Spark does, in the place that a tier has for them. */
class TieredDiskStore extends DiskStore {
  private TieredDiskBlockManager manager;

  TieredDiskStore(SparkConf conf, TieredDiskBlockManager manager, SecurityManager security) {
    super(conf, manager, security);
    this.manager = manager;
  }

  /** Sets the manager, for a store that was made without its constructor. */
  void placeBy(TieredDiskBlockManager diskManager) {
    manager = diskManager;
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
    boolean absent = !contains(id);
    if (absent) {
      manager.place(id, bytes);
    }
    try {
      super.put(
          id,
          channel -> {
            // Keeps it from being moved: computing its next row may take very long.
            ColdBlocks.beingWritten(manager.getFile(id), true);
            return write.apply(channel);
          });
      absent = false;
    } finally {
      if (absent) {
        // Of one that could not even be made Spark leaves the link.
        manager.getFile(id).delete();
      }
    }
    ColdBlocks.beingWritten(manager.getFile(id), false);
    manager.settle(id);
  }
}
