// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import io.temptier.tier.os.Threads;
import java.io.File;
import java.io.FilenameFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Function;
import org.apache.spark.SparkConf;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.DiskBlockManager;
import org.apache.spark.storage.TempLocalBlockId;
import org.apache.spark.storage.TempShuffleBlockId;
import org.apache.spark.util.Utils;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/** Names files as Spark does, and places new ones. Safe for use by many threads. */
class TieredDiskBlockManager extends DiskBlockManager {
  /** Bound on names drawn to meet every home: a node has about as many. */
  private static final int MOST_NAMES = 32;

  /** Time that the end waits for deleting what no shuffle service serves: a disk may hang. */
  private static final Duration DELETING = Duration.ofSeconds(5);

  private @Nullable BlockPlaces places;
  private @Nullable DiskBlockManager before;
  private @Nullable Thread atEnd;
  private volatile @Nullable FilenameFilter unserved;

  TieredDiskBlockManager(SparkConf conf, boolean deleteFilesOnStop, boolean isDriver) {
    super(conf, deleteFilesOnStop, isDriver);
  }

  /** Begins to place files; until then it is as Spark's, whose place it takes. */
  void placeBy(BlockPlaces blockPlaces, @Nullable DiskBlockManager from) {
    before = from;
    places = blockPlaces;
  }

  @Override
  public File getFile(String name) {
    File file = super.getFile(name);
    BlockPlaces current = places;
    if (current == null) {
      return file;
    }
    current.keepSpill(file);
    return current.named(file);
  }

  @Override
  public File createTempFileWith(File file) {
    return places == null
        ? super.createTempFileWith(file)
        : shared(places.placeOutput(Utils.tempFileWith(file)), places);
  }

  @Override
  public Tuple2<TempLocalBlockId, File> createTempLocalBlock() {
    return places == null
        ? super.createTempLocalBlock()
        : temporary(TempLocalBlockId::new, false, places);
  }

  @Override
  public Tuple2<TempShuffleBlockId, File> createTempShuffleBlock() {
    return places == null
        ? super.createTempShuffleBlock()
        : temporary(TempShuffleBlockId::new, true, places);
  }

  /** Makes a file that the shuffle service of another user may have to read. */
  private File shared(File placed, BlockPlaces current) {
    if (current.homes().othersRead()) {
      createWorldReadableFile(placed);
    }
    return placed;
  }

  /** A block of any name: one whose home takes nothing gets another name. */
  private <T extends BlockId> Tuple2<T, File> temporary(
      Function<UUID, T> ids, boolean merges, BlockPlaces current) {
    for (int i = 1; i < MOST_NAMES; i++) {
      T id = i == 1 ? named(ids, current) : ids.apply(UUID.randomUUID());
      try {
        File placed = current.placeSpill(getFile(id), merges);
        if (placed != null) {
          return new Tuple2<>(id, merges ? shared(placed, current) : placed);
        }
      } catch (Exception e) {
        // Scala declares none. Not even its folder can be made.
        if (!(e instanceof IOException)) {
          throw e;
        }
      }
    }
    // Spark's own error is the one that users know.
    T id = ids.apply(UUID.randomUUID());
    return new Tuple2<>(id, getFile(id));
  }

  /** A block whose home is where the file is likely to lie, so that it needs no link. */
  private <T extends BlockId> T named(Function<UUID, T> ids, BlockPlaces current) {
    T id = ids.apply(UUID.randomUUID());
    for (int i = 1; i < MOST_NAMES && !current.likely(id.name()); i++) {
      id = ids.apply(UUID.randomUUID());
    }
    return id;
  }

  /** Chooses a place for a block that is about to be stored, and is not yet. */
  void place(BlockId id, long bytes) {
    BlockPlaces current = places;
    if (current != null) {
      File block = getFile(id);
      // A link may be left of an attempt that could not write where it leads.
      block.delete();
      current.place(block, bytes);
    }
  }

  void settle(BlockId id) {
    BlockPlaces current = places;
    if (current != null) {
      current.settle(TieredFile.bytesOf(getFile(id).toPath()));
    }
  }

  /** Makes the file at the path of its bytes, since a link cannot be made like a file. */
  @Override
  public void createWorldReadableFile(File file) {
    Path bytes =
        file instanceof TieredFile
            ? ((TieredFile) file).bytes()
            : TieredFile.bytesOf(file.toPath());
    super.createWorldReadableFile(bytes.toFile());
  }

  /** The hook that Spark made for the JVM's end asks the one before. */
  @Override
  public void deleteFilesOnStop_$eq(boolean delete) {
    super.deleteFilesOnStop_$eq(delete);
    if (before != null) {
      before.deleteFilesOnStop_$eq(delete);
    }
  }

  /**
   * Says that the Worker of a cluster of Spark's own deletes what its shuffle service does not
   * serve when this executor has ended. Of a link it deletes the link alone.
   *
   * @param cachedToo whether the service serves cached blocks
   */
  void servedByWorker(boolean cachedToo) {
    // Bytes keep the name of before their link was renamed, which is longer.
    unserved =
        (folder, name) ->
            !(name.contains(".data")
                || name.contains(".index")
                || (cachedToo && name.startsWith("rdd_")));
  }

  /** Executors are often ended from outside, before this is stopped. */
  void closeAtEnd(Runnable close) {
    Thread end =
        new Thread(
            () -> {
              close.run();
              deleteAnnexed();
            },
            "temptier-spark-end");
    try {
      Runtime.getRuntime().addShutdownHook(end);
      atEnd = end;
    } catch (IllegalStateException e) {
      // The JVM ends already.
    }
  }

  @Override
  public void stop() {
    super.stop();
    deleteAnnexed();
    try {
      if (atEnd != null) {
        Runtime.getRuntime().removeShutdownHook(atEnd);
      }
    } catch (IllegalStateException e) {
      // The JVM ends, and so this.
    }
  }

  private void deleteAnnexed() {
    if (places != null && deleteFilesOnStop()) {
      places.homes().deleteAnnexed(null);
    } else if (places != null && unserved != null) {
      FilenameFilter filter = unserved;
      BlockHomes homes = places.homes();
      // With such a Worker stock Spark leaves at once. What is late goes with the application.
      Threads.endWithin(DELETING, "temptier-spark-files", () -> homes.deleteAnnexed(filter));
    }
  }
}
