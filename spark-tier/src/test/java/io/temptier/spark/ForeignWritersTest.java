// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.fixtures.Programs;
import io.temptier.tier.LocalDir;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.DiskBlockManager;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.util.io.ChunkedByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writers that TempTier never hears of, such as native engines: they ask for a path and write there
 * themselves, 120 MiB together, half of which a fast disk of 80 MiB holds.
 */
@NeedsLoopDisk
class ForeignWritersTest {
  private static final long FAST_BYTES = 80 << 20;
  private static final int WRITERS = 40;
  private static final byte[] FILE = new byte[3 << 20];

  @TempDir Path temp;

  @Test
  void meetNoFullDiskWhereStockHasNone() throws Exception {
    assertEquals(0, failures(conf("stock")), "more than stock can write");
    assertEquals(0, failures(conf("tiered").set("spark.plugins", TierPlugin.class.getName())));
  }

  /**
   * Stock would have half of Spark's own files on the slow dir, and so finds room for what somebody
   * writes to paths before and after them.
   */
  @Test
  void leaveNoLessRoomToWritersThanTheyHadBefore() throws Exception {
    try (LoopDisk disk = LoopDisk.create(temp, "fast", FAST_BYTES, "mkfs.ext4", "-q", "-m", "0");
        Tiers tiers = new Tiers(temp, LocalDir.NO_CAP)) {
      writeByPath(tiers, "before_");
      tiers.places.unseen().look();
      for (int i = 0; i < 20; i++) {
        File block = tiers.manager.createTempLocalBlock()._2;
        Files.write(block.toPath(), FILE);
        tiers.places.settle(TieredFile.bytesOf(block.toPath()));
      }
      assertTrue(Tiers.files(disk.path()).size() > 6, "Spark's own files are placed there, too");
      writeByPath(tiers, "after_");
    }
  }

  /** Young cached blocks do not move. */
  @Test
  void findRoomAfterACache() throws Exception {
    assertEquals(0, failuresAfterACache(conf("stock")), "more than stock can write");
    SparkConf conf = conf("tiered").set("spark.plugins", TierPlugin.class.getName());
    assertEquals(0, failuresAfterACache(conf));
  }

  /** 60 MiB are cached, and then 40 MiB written to paths, half of them in the fast dir. */
  private int failuresAfterACache(SparkConf conf) throws Exception {
    byte[] file = new byte[2 << 20];
    int failed = 0;
    try (LoopDisk disk = LoopDisk.create(temp.resolve(conf.get("spark.app.name")), FAST_BYTES);
        JavaSparkContext spark = new JavaSparkContext(conf)) {
      BlockManager blocks = SparkEnv.get().blockManager();
      for (int i = 0; i < 30; i++) {
        blocks
            .diskStore()
            .putBytes(new RDDBlockId(1, i), new ChunkedByteBuffer(ByteBuffer.wrap(file)));
      }
      assertTrue(Tiers.files(disk.path()).size() >= 15, spark.version());
      for (int i = 0; i < 20; i++) {
        try {
          Files.write(Path.of(blocks.diskBlockManager().getFile(name(i)).getPath()), file);
        } catch (IOException e) {
          failed++;
        }
      }
    }
    return failed;
  }

  /** What a library may leave in the dirs of {@code getLocalDiskDirs}. */
  @Test
  void leaveOddThingsInHomesAndSparksFilesAreWrittenAsEver() throws Exception {
    try (Tiers tiers = new Tiers(temp, LocalDir.NO_CAP)) {
      for (String home : tiers.manager.localDirsString()) {
        for (Path dir : List.of(Path.of(home), Files.createDirectories(Path.of(home, "0a")))) {
          Files.createSymbolicLink(dir.resolve("loop"), dir.resolve("loop"));
          Files.createSymbolicLink(dir.resolve("up"), dir);
          Files.createSymbolicLink(dir.resolve("dangling"), Path.of("/nowhere"));
          Programs.pipe(dir.resolve("fifo"));
          try (RandomAccessFile sparse =
              new RandomAccessFile(dir.resolve("sparse").toFile(), "rw")) {
            sparse.setLength(1L << 42);
          }
        }
        Files.write(Files.createDirectories(Path.of(home, "library", "0a")).resolve("f"), FILE);
      }
      tiers.places.unseen().look();
      for (int i = 0; i < 20; i++) {
        File block = tiers.manager.createTempShuffleBlock()._2;
        Files.write(block.toPath(), FILE);
        File output = tiers.manager.createTempFileWith(tiers.manager.getFile(name(i)));
        Files.write(output.toPath(), FILE);
        assertTrue(output.renameTo(tiers.manager.getFile(name(i))));
        assertEquals(FILE.length, tiers.manager.getFile(name(i)).length());
        assertTrue(block.delete());
      }
      assertTrue(tiers.manager.getAllFiles().size() >= 20);
    }
  }

  /** Somebody's six files whose home is the fast dir. */
  private static void writeByPath(Tiers tiers, String prefix) throws IOException {
    for (int i = 0; i < 6; i++) {
      String name = Tiers.nameIn(tiers.manager, tiers.fast, prefix + i + "_");
      Files.write(Path.of(tiers.manager.getFile(name).getPath()), FILE);
    }
  }

  /** A shuffle that is not Spark's: its tasks write outputs by the paths that they ask for. */
  public static final class Others extends SortShuffleManager {
    public Others(SparkConf conf) {
      super(conf);
    }
  }

  /** As Comet does it. Each second task writes nothing. */
  @Test
  void haveTheirOutputsPlacedAndFoundWhereTheHashSays() throws Exception {
    SparkConf conf =
        conf("outputs")
            .set("spark.plugins", TierPlugin.class.getName())
            .set("spark.shuffle.manager", Others.class.getName());
    // The first file may be as large as one of unknown size.
    try (LoopDisk disk = LoopDisk.create(temp.resolve("outputs"), 256 << 20);
        JavaSparkContext spark = new JavaSparkContext(conf)) {
      List<Integer> maps = IntStream.range(0, 24).boxed().toList();
      List<String> written =
          spark.parallelize(maps, maps.size()).map(ForeignWritersTest::writeOutput).collect();
      for (int map : maps) {
        DiskBlockManager manager = SparkEnv.get().blockManager().diskBlockManager();
        Path found = Path.of(manager.getFile(name(map)).getPath());
        if (map % 2 == 0) {
          assertEquals(1 << 20, Files.size(found));
          assertTrue(found.toRealPath().startsWith(disk.path().toRealPath()), written.get(map));
          // As the shuffle service finds it.
          assertTrue(
              Stream.of(manager.localDirsString()).anyMatch(found.toString()::startsWith),
              found::toString);
        } else {
          assertTrue(Files.notExists(found, LinkOption.NOFOLLOW_LINKS), found::toString);
        }
      }
    }
  }

  private static String name(int map) {
    return "shuffle_7_" + map + "_0.data";
  }

  private static String writeOutput(int map) throws IOException {
    DiskBlockManager manager = SparkEnv.get().blockManager().diskBlockManager();
    File output = manager.getFile(name(map));
    if (map % 2 == 0) {
      Path unfinished = Files.write(Path.of(output.getPath() + ".tmp"), new byte[1 << 20]);
      assertTrue(unfinished.toFile().renameTo(manager.getFile(name(map))));
    }
    return output.getPath();
  }

  private SparkConf conf(String name) throws IOException {
    Path slow = Files.createDirectories(temp.resolve(name + "/slow"));
    Path fast = temp.resolve(name + "/disk");
    return Tiers.local(name, fast, slow);
  }

  /** How many of the writers met a full disk. */
  private int failures(SparkConf conf) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try (LoopDisk disk = LoopDisk.create(temp.resolve(conf.get("spark.app.name")), FAST_BYTES);
        JavaSparkContext spark = new JavaSparkContext(conf)) {
      DiskBlockManager manager = SparkEnv.get().blockManager().diskBlockManager();
      List<Callable<Boolean>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        String name = name(i);
        writers.add(
            () -> {
              try {
                // Makes a folder, which may fail, too.
                Files.write(Path.of(manager.getFile(name).getPath()), FILE);
                return true;
              } catch (IOException e) {
                assertTrue(String.valueOf(e.getMessage()).contains("No space left"), e::toString);
                return false;
              }
            });
      }
      int failed = 0;
      for (Future<Boolean> written : threads.invokeAll(writers)) {
        failed += written.get() ? 0 : 1;
      }
      assertTrue(disk.path().toFile().getUsableSpace() < FAST_BYTES / 2, spark.version());
      return failed;
    } finally {
      threads.shutdownNow();
    }
  }
}
