// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.ColdBlocks;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.marker.DemotionSettings;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.os.FileStamp;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.storage.BlockId;
import org.apache.spark.util.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Option;
import scala.runtime.BoxedUnit;

/** A fast dir of ten megabytes. */
class ColdBlocksTest {
  private static final long CAP = 10 << 20;

  @TempDir Path temp;

  private final AtomicLong moved = new AtomicLong();
  private Tiers tiers;
  private ColdBlocks cold;

  @BeforeEach
  void start() throws Exception {
    tiers = new Tiers(temp, CAP);
    cold = cold(tiers.tiers, tiers.tiers.demotion().bytesPerSecond());
  }

  @AfterEach
  void stop() {
    cold.close();
    tiers.close();
  }

  @Test
  void aboveTheHighMarkTheOldestGoDown() throws Exception {
    List<File> outputs = outputs(9);
    assertTwoGoDown(outputs);
    assertEquals(2 << 20, moved.get());
    for (int i = 0; i < 9; i++) {
      assertArrayEquals(content(i), Files.readAllBytes(outputs.get(i).toPath()));
      assertEquals(i < 2, Files.isSymbolicLink(outputs.get(i).toPath()), "output " + i);
    }
    assertTrue(outputs.get(0).delete());
    assertEquals(1, Tiers.files(tiers.slow).size());
    stop();
    assertEquals(List.of(), Tiers.files(temp));
  }

  /** Of nine; who reads the oldest goes on. */
  private void assertTwoGoDown(List<File> outputs) throws IOException {
    try (InputStream open = Files.newInputStream(outputs.get(0).toPath())) {
      cold.round(tiers::blocks);
      assertArrayEquals(content(0), open.readAllBytes());
    }
    assertEquals(2, Tiers.files(tiers.slow).size());
    assertEquals(7, Tiers.files(tiers.fast).size());
  }

  /** The move begins and ends while the executor is about to delete. */
  @Test
  void aMoveDoesNotBringBackWhatIsDeleted() throws Exception {
    File output = outputs(1).get(0);
    Path name = output.toPath();
    Path link = name.resolveSibling(ColdBlocks.TEMPORARY_LINK + "move." + name.getFileName());
    Path copy = temp.resolve("copy");
    assertTrue(
        tiers.places.delete(
            name,
            () -> {
              try {
                boolean first = !Files.isSymbolicLink(name);
                if (first) {
                  Files.createSymbolicLink(link, copy);
                }
                Files.delete(name);
                if (first) {
                  Files.move(link, name);
                }
                return true;
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }));
    assertFalse(Files.isSymbolicLink(name), "it is back");
    assertFalse(Files.isSymbolicLink(link), "it would come back");
  }

  @Test
  void belowTheHighMarkAllStay() throws Exception {
    outputs(7);
    cold.round(tiers::blocks);
    assertEquals(List.of(), Tiers.files(tiers.slow));
  }

  /** Outputs that have a link at home, on the slow dir. */
  @Test
  void whatIsLookedForElsewhereGoesDownToo() throws Exception {
    List<File> outputs = new ArrayList<>();
    BlockHomes homes = tiers.places.homes();
    for (int i = 0; outputs.size() < 9; i++) {
      File output = tiers.manager.getFile("shuffle_0_" + i + "_0.data");
      if (output.toPath().startsWith(tiers.slow)) {
        // Not placed, or what is promised would count until every process has seen what is there.
        BlockHomes.Home home = Objects.requireNonNull(homes.of(output));
        File temporary = Utils.tempFileWith(output);
        LocalDir dir = tiers.tiers.layout().dirs().get(0);
        Files.write(homes.make(home, temporary, dir), content(outputs.size()));
        Files.move(temporary.toPath(), output.toPath());
        Files.setLastModifiedTime(
            output.toPath(), FileTime.fromMillis(1_000_000 + outputs.size() * 1000L));
        outputs.add(output);
      }
    }
    assertEquals(9, Tiers.files(tiers.fast).size());
    assertEquals(9, Tiers.links(tiers.slow).size());
    assertTwoGoDown(outputs);
    assertEquals(List.of(), Tiers.links(tiers.fast));
    for (int i = 0; i < 9; i++) {
      assertArrayEquals(content(i), Files.readAllBytes(outputs.get(i).toPath()));
      assertTrue(outputs.get(i).delete());
    }
    assertEquals(List.of(), Tiers.files(temp));
    assertEquals(List.of(), Tiers.links(temp));
  }

  /** A native engine's, say: what is not ours does not stop what is. */
  @Test
  void aPlainFileInAHomeIsPassedOver() throws Exception {
    for (String home : tiers.manager.localDirsString()) {
      Files.createFile(Path.of(home, "somebody's"));
      Files.createSymbolicLink(Path.of(home, "a-link"), temp.resolve("nowhere"));
      Files.createDirectories(Path.of(home, "a-folder", "of", "theirs"));
    }
    outputs(9);
    cold.round(tiers::blocks);
    assertEquals(3, Tiers.files(tiers.slow).size(), "somebody's, and two");
  }

  @Test
  void theMarksAreTheNodes() throws Exception {
    outputs(4);
    roundOfAnother(node(0.35, 0.15));
    assertEquals(3, Tiers.files(tiers.slow).size());
  }

  @Test
  void onlyWhatIsCompleteGoesDown() throws Exception {
    for (int i = 0; i < 4; i++) {
      Files.write(inFast("temp_shuffle_" + i).toPath(), content(i));
      Files.write(inFast("temp_local_" + i).toPath(), content(i));
    }
    File cached = inFast("rdd_1_");
    Files.write(cached.toPath(), content(1));
    cold.round(tiers::blocks);
    assertEquals(List.of(), Tiers.files(tiers.slow));
    age(cached.toPath());
    roundOfAnother(tiers.tiers);
    assertTrue(Files.isSymbolicLink(cached.toPath()));
    assertArrayEquals(content(1), Files.readAllBytes(cached.toPath()));
  }

  /** Its rows take their time to compute, and the disk is as full as can be. */
  @Test
  void aCachedBlockStaysWhileItIsWritten() throws Exception {
    SparkConf conf = new SparkConf(false);
    SecurityManager plain = new SecurityManager(conf, Option.empty(), null);
    TieredDiskStore store = new TieredDiskStore(conf, tiers.manager, plain);
    BlockId id = BlockId.apply(inFast("rdd_1_").getName());
    Path block = tiers.manager.getFile(id).toPath();
    ColdBlocks all = cold(node(0, 0), 1L << 40);
    store.put(
        id,
        channel -> {
          write(channel, content(1));
          age(block);
          all.round(tiers::blocks);
          write(channel, content(2));
          return BoxedUnit.UNIT;
        });
    try (InputStream in = Files.newInputStream(block)) {
      assertArrayEquals(content(1), in.readNBytes(1 << 20));
      assertArrayEquals(content(2), in.readAllBytes());
    }
    age(block);
    all.close();
    roundOfAnother(node(0, 0));
    assertTrue(Files.isSymbolicLink(block), "it is complete");
    assertEquals(2 << 20, Files.size(block));
  }

  /** One that found nothing may rest. */
  private void roundOfAnother(NodeTiers node) {
    try (ColdBlocks other = cold(node, 1L << 40)) {
      other.round(tiers::blocks);
    }
  }

  private static void write(WritableByteChannel channel, byte[] content) {
    try {
      assertEquals(content.length, channel.write(ByteBuffer.wrap(content)));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Nobody has written to it for a while. */
  private static void age(Path block) {
    try {
      Files.setLastModifiedTime(block, FileTime.fromMillis(System.currentTimeMillis() - 100_000));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The node with marks of its own. */
  private NodeTiers node(double high, double low) {
    DemotionSettings.Marks marks = DemotionSettings.Marks.of(high, true, low, true);
    return NodeTiers.of(
        tiers.tiers.layout(),
        tiers.tiers.settings(),
        DemotionSettings.of(true, marks, 1L << 40, Duration.ZERO));
  }

  @Test
  void aBlockThatChangedMeanwhileStays() throws Exception {
    File output = outputs(1).get(0);
    FileStamp before = FileStamp.of(output.toPath());
    Files.write(output.toPath(), content(5));
    Files.setLastModifiedTime(output.toPath(), FileTime.fromMillis(1));
    assertFalse(ColdBlocks.replace(output.toPath(), before, temp.resolve("copy")));
    assertArrayEquals(content(5), Files.readAllBytes(output.toPath()));
  }

  /** Outside YARN a local dir is no application's own. */
  @Test
  void homesOfOthersAreNotTouchedWhereAFolderIsShared() throws Exception {
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
    roundOfAnother(tiers.tiers);
    assertEquals(2, Tiers.files(tiers.slow).size());
    JavaUtils.deleteRecursively(home.toFile());
  }

  private ColdBlocks cold(NodeTiers node, long bytesPerSecond) {
    // Whatever the disk below has, the cap tells.
    Capacity empty = Capacity.of(1L << 40, 1L << 40, 1 << 20, 1 << 20);
    return new ColdBlocks(
        node,
        new Pace(bytesPerSecond),
        (request, placement) -> moved.addAndGet(request.bytes()),
        dir -> empty);
  }

  /** Outputs of a megabyte each, the first one the oldest. */
  private List<File> outputs(int count) throws IOException {
    List<File> outputs = new ArrayList<>();
    for (int map = 0; map < count; map++) {
      File output = tiers.fastOutput(map);
      // Not placed, or what is promised would count until every process has seen what is written.
      Files.write(output.toPath(), content(map));
      Files.setLastModifiedTime(
          output.toPath(),
          FileTime.fromMillis(System.currentTimeMillis() - 1_000_000 + map * 1000L));
      outputs.add(output);
    }
    return outputs;
  }

  private File inFast(String prefix) {
    return tiers.manager.getFile(Tiers.nameIn(tiers.manager, tiers.fast, prefix));
  }

  private static byte[] content(int seed) {
    byte[] content = new byte[1 << 20];
    new Random(seed).nextBytes(content);
    return content;
  }
}
