// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.demotion.ColdBlocks;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.os.FileStamp;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.spark.network.util.JavaUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fast dir of ten megabytes. */
class ColdBlocksTest {
  private static final long CAP = 10 << 20;

  @TempDir Path temp;

  private final AtomicLong moved = new AtomicLong();

  @Test
  void aboveTheHighMarkTheOldestGoDown() throws Exception {
    try (Tiers tiers = new Tiers(temp, CAP);
        ColdBlocks cold = cold(tiers)) {
      List<File> outputs = outputs(tiers, 9);
      try (InputStream open = Files.newInputStream(outputs.get(0).toPath())) {
        cold.round(tiers::blocks);
        assertArrayEquals(content(0), open.readAllBytes());
      }
      assertEquals(2, Tiers.files(tiers.slow).size());
      assertEquals(7, Tiers.files(tiers.fast).size());
      assertEquals(2 << 20, moved.get());
      for (int i = 0; i < 9; i++) {
        assertArrayEquals(content(i), Files.readAllBytes(outputs.get(i).toPath()));
        assertEquals(i < 2, Files.isSymbolicLink(outputs.get(i).toPath()), "output " + i);
      }
      assertTrue(outputs.get(0).delete());
      assertEquals(1, Tiers.files(tiers.slow).size());
    }
    assertEquals(List.of(), Tiers.files(temp));
  }

  @Test
  void belowTheHighMarkAllStay() throws Exception {
    try (Tiers tiers = new Tiers(temp, CAP);
        ColdBlocks cold = cold(tiers)) {
      outputs(tiers, 7);
      cold.round(tiers::blocks);
      assertEquals(List.of(), Tiers.files(tiers.slow));
    }
  }

  @Test
  void onlyWhatIsCompleteGoesDown() throws Exception {
    try (Tiers tiers = new Tiers(temp, CAP);
        ColdBlocks cold = cold(tiers)) {
      for (int i = 0; i < 4; i++) {
        Files.write(tiers.manager.getFile("temp_shuffle_" + i).toPath(), content(i));
        Files.write(tiers.manager.getFile("temp_local_" + i).toPath(), content(i));
      }
      File cached = tiers.manager.getFile("rdd_1_1");
      Files.write(cached.toPath(), content(1));
      cold.round(tiers::blocks);
      assertEquals(List.of(), Tiers.files(tiers.slow));
      Files.setLastModifiedTime(
          cached.toPath(), FileTime.fromMillis(System.currentTimeMillis() - 100_000));
      // Another, for one that found nothing may rest.
      try (ColdBlocks later = cold(tiers)) {
        later.round(tiers::blocks);
      }
      assertTrue(Files.isSymbolicLink(cached.toPath()));
      assertArrayEquals(content(1), Files.readAllBytes(cached.toPath()));
    }
  }

  @Test
  void oneAtATime() throws Exception {
    try (Tiers tiers = new Tiers(temp, CAP);
        ColdBlocks cold = cold(tiers)) {
      outputs(tiers, 9);
      try (FileChannel lock =
          FileChannel.open(
              tiers.fastParent().resolve(ColdBlocks.LOCK),
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE)) {
        assertFalse(lock.lock().isShared());
        cold.round(tiers::blocks);
        assertEquals(List.of(), Tiers.files(tiers.slow));
      }
      cold.round(tiers::blocks);
      assertEquals(2, Tiers.files(tiers.slow).size());
    }
  }

  @Test
  void aBlockThatChangedMeanwhileStays() throws Exception {
    try (Tiers tiers = new Tiers(temp, CAP)) {
      File output = outputs(tiers, 1).get(0);
      FileStamp before = FileStamp.of(output.toPath());
      Files.write(output.toPath(), content(5));
      Files.setLastModifiedTime(output.toPath(), FileTime.fromMillis(1));
      assertFalse(tiers.places.replace(output.toPath(), before, temp.resolve("copy")));
      assertArrayEquals(content(5), Files.readAllBytes(output.toPath()));
    }
  }

  /** Outside YARN a local dir is no application's own. */
  @Test
  void homesOfOthersAreNotTouchedWhereAFolderIsShared() throws Exception {
    try (Tiers tiers = new Tiers(temp, CAP);
        ColdBlocks cold = cold(tiers)) {
      Path home = tiers.fastParent().resolve("blockmgr-2");
      Path others = Files.createDirectories(home.resolve("0a"));
      for (int i = 0; i < 9; i++) {
        Files.write(others.resolve("shuffle_9_" + i + "_0.data"), content(i));
      }
      cold.round(
          () ->
              List.of(
                  ColdBlocks.Blocks.of(
                      "", tiers.places.homes().parents(), tiers.places.homes().names())));
      assertEquals(List.of(), Tiers.files(tiers.slow));
      // Another, for one that found nothing may rest.
      try (ColdBlocks later = cold(tiers)) {
        later.round(tiers::blocks);
      }
      assertEquals(2, Tiers.files(tiers.slow).size());
      JavaUtils.deleteRecursively(home.toFile());
    }
  }

  private ColdBlocks cold(Tiers tiers) {
    // Whatever the disk below has, the cap tells.
    Capacity empty = Capacity.of(1L << 40, 1L << 40, 1 << 20, 1 << 20);
    return new ColdBlocks(
        tiers.tiers,
        SparkTiering.MARKS,
        SparkTiering.RATE_BYTES,
        tiers.places::replace,
        moved::addAndGet,
        dir -> empty);
  }

  /** Outputs of a megabyte each, the first one the oldest. */
  private static List<File> outputs(Tiers tiers, int count) {
    return IntStream.range(0, count).mapToObj(i -> output(tiers, i)).toList();
  }

  private static File output(Tiers tiers, int map) {
    try {
      File output = tiers.manager.getFile("shuffle_0_" + map + "_0.data");
      // Not placed, or what is promised would count until every process has seen what is written.
      Files.write(output.toPath(), content(map));
      Files.setLastModifiedTime(
          output.toPath(),
          FileTime.fromMillis(System.currentTimeMillis() - 1_000_000 + map * 1000L));
      return output;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] content(int seed) {
    byte[] content = new byte[1 << 20];
    new Random(seed).nextBytes(content);
    return content;
  }
}
