// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Trees;
import io.temptier.tier.LocalDir;
import io.temptier.tier.marker.NodeMarker;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.spark.network.shuffle.ExecutorDiskUtils;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.storage.BlockId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without tasks: names, links and what becomes of them. */
class TieredDiskBlockManagerTest {
  private static final byte[] CONTENT = new byte[300_000];

  @TempDir Path temp;

  @Test
  void runsOfATaskNeedNoLink() throws Exception {
    try (Tiers tiers = new Tiers(temp, LocalDir.NO_CAP)) {
      writeHundredRuns(tiers);
      assertEquals(100, Tiers.files(tiers.fast).size());
      assertEquals(List.of(), Tiers.links(temp));
    }
    try (Tiers tiers = new Tiers(temp.resolve("full"), 1000)) {
      writeHundredRuns(tiers);
      // An index fits.
      placed(tiers, "index", 100);
      writeHundredRuns(tiers);
      assertEquals(200, Tiers.files(tiers.slow).size());
      // Of the first, before it was known where files go, and of the index.
      assertTrue(Tiers.links(temp).size() <= 2, Tiers.links(temp)::toString);
    }
  }

  @Test
  void whatDoesNotFitLiesOnTheSlowDirAndIsFoundAtHome() throws Exception {
    // Room for one file of unknown size.
    try (Tiers tiers = new Tiers(temp, Tiers.UNKNOWN_BYTES + 1000)) {
      File first = write(tiers.manager.createTempShuffleBlock()._2());
      File second = write(tiers.manager.createTempShuffleBlock()._2());
      assertFalse(Files.isSymbolicLink(first.toPath()));
      assertTrue(Files.isSymbolicLink(second.toPath()));
      assertEquals(1, Tiers.files(tiers.fast).size());
      assertEquals(1, Tiers.files(tiers.slow).size());
      File output = tiers.fastOutput(7);
      File temporary = write(tiers.manager.createTempFileWith(output));
      assertTrue(temporary.renameTo(output));
      assertTrue(Files.isSymbolicLink(output.toPath()), "it is full still");
      assertArrayEquals(CONTENT, Files.readAllBytes(output.toPath()));
      for (File file : List.of(first, second, output)) {
        assertTrue(file.delete());
      }
      assertEquals(List.of(), Tiers.files(tiers.fast));
      assertEquals(List.of(), Tiers.files(tiers.slow));
      assertFalse(Files.isSymbolicLink(output.toPath()));
    }
  }

  @Test
  void whoKnowsTheRegisteredDirsFindsEveryFileAndNothingIsLeftInTheEnd() throws Exception {
    try (Tiers tiers = new Tiers(temp, Tiers.UNKNOWN_BYTES + 1000)) {
      // As BlockManager.shuffleServerId's registration sends them.
      String[] registered = tiers.manager.localDirsString();
      for (int i = 0; i < 20; i++) {
        File output = tiers.manager.getFile("shuffle_0_" + i + "_0.data");
        assertTrue(write(tiers.manager.createTempFileWith(output)).renameTo(output));
        String path =
            ExecutorDiskUtils.getFilePath(
                registered, tiers.manager.subDirsPerLocalDir(), output.getName());
        assertArrayEquals(CONTENT, Files.readAllBytes(Path.of(path)));
      }
      assertTrue(Tiers.files(tiers.slow).size() > 5);
      assertEquals(1, Tiers.files(tiers.fast).size());
    }
    assertEquals(List.of(), Tiers.files(temp));
    assertEquals(List.of(), Tiers.links(temp));
  }

  @Test
  void whatAWorkerDoesNotServeGoesWithItsExecutor() throws Exception {
    try (Tiers tiers = new Tiers(temp, Tiers.UNKNOWN_BYTES + 1000)) {
      write(tiers.manager.createTempShuffleBlock()._2());
      write(tiers.manager.createTempShuffleBlock()._2());
      File output = tiers.fastOutput(7);
      assertTrue(write(tiers.manager.createTempFileWith(output)).renameTo(output));
      String name = Tiers.nameIn(tiers.manager, tiers.fast, "rdd_7_");
      File cached = tiers.manager.getFile(name);
      write(tiers.places.place(cached, CONTENT.length));
      assertEquals(3, Tiers.files(tiers.slow).size());
      tiers.manager.deleteFilesOnStop_$eq(false);
      tiers.manager.servedByWorker(true);
      tiers.manager.stop();
      assertEquals(2, Tiers.files(tiers.slow).size());
      assertArrayEquals(CONTENT, Files.readAllBytes(output.toPath()));
      assertArrayEquals(CONTENT, Files.readAllBytes(cached.toPath()));
      tiers.manager.servedByWorker(false);
      tiers.manager.stop();
      assertEquals(1, Tiers.files(tiers.slow).size());
      assertArrayEquals(CONTENT, Files.readAllBytes(output.toPath()));
      tiers.manager.deleteFilesOnStop_$eq(true);
    }
  }

  /** As a disk that is gone between the name of a block and its first byte. */
  @Test
  void aBlockIsTriedElsewhereAfterItsFastDirIsLost() throws Exception {
    try (Tiers tiers = new Tiers(temp, LocalDir.NO_CAP)) {
      BlockId block = BlockId.apply(Tiers.nameIn(tiers.manager, tiers.slow, "rdd_1_"));
      tiers.manager.place(block, CONTENT.length);
      assertTrue(Files.isSymbolicLink(tiers.manager.getFile(block).toPath()));
      Path annex = annex(tiers.fast);
      JavaUtils.deleteRecursively(annex.toFile());
      Files.writeString(annex, "");
      tiers.manager.place(block, CONTENT.length);
      write(tiers.manager.getFile(block));
      assertTrue(tiers.manager.getFile(block).toPath().toRealPath().startsWith(tiers.slow));
    }
  }

  /** As somebody who cleans up. */
  @Test
  void aFolderThatIsDeletedIsMadeAgain() throws Exception {
    try (Tiers tiers = new Tiers(temp, LocalDir.NO_CAP)) {
      for (int i = 0; i < 200; i++) {
        placed(tiers, "before" + i);
      }
      JavaUtils.deleteRecursively(annex(tiers.fast).toFile());
      for (int i = 0; i < 200; i++) {
        assertTrue(placed(tiers, "after" + i).toRealPath().startsWith(tiers.fast));
      }
    }
  }

  @Test
  void runsOfATaskAreNamedWhereAHomeStillTakesThem() throws Exception {
    try (Tiers tiers = new Tiers(temp, LocalDir.NO_CAP)) {
      for (File home : Objects.requireNonNull(tiers.fastParent().toFile().listFiles())) {
        JavaUtils.deleteRecursively(home);
        Files.writeString(home.toPath(), "");
      }
      writeHundredRuns(tiers);
      assertEquals(100, Tiers.links(tiers.slow).size());
    }
  }

  @Test
  void aUsersOwnLinkIsTheirs() throws Exception {
    try (Tiers tiers = new Tiers(temp, LocalDir.NO_CAP)) {
      Path theirs = Files.writeString(temp.resolve("theirs"), "precious");
      File named = tiers.manager.getFile("rdd_7_7");
      Files.createSymbolicLink(named.toPath(), theirs);
      assertTrue(tiers.manager.getFile("rdd_7_7").delete());
      assertFalse(Files.isSymbolicLink(named.toPath()));
      assertEquals("precious", Files.readString(theirs));
    }
  }

  @Test
  void anExecutorThatRunsPlacesAsStockOnceItsNodeIsOff() throws Exception {
    try (Tiers tiers = new Tiers(temp, LocalDir.NO_CAP)) {
      SparkTiering.OffSwitch off =
          new SparkTiering.OffSwitch(List.of(tiers.fast, tiers.slow), tiers.places::stop);
      NodeMarker.write(tiers.fast, tiers.tiers);
      NodeMarker.write(tiers.slow, tiers.tiers);
      off.look();
      assertTrue(placed(tiers, "on").toRealPath().startsWith(tiers.fast.toRealPath()));
      for (Path root : List.of(tiers.fast, tiers.slow)) {
        // A NodeManager that is down.
        Files.delete(root.resolve(NodeMarker.DIR).resolve(NodeMarker.LAYOUT));
      }
      off.look();
      assertTrue(placed(tiers, "down").toRealPath().startsWith(tiers.fast.toRealPath()));
      File before = tiers.manager.createTempShuffleBlock()._2;
      Files.write(before.toPath(), CONTENT);

      NodeMarker.remove(tiers.slow, "temptier.enabled=false (yarn-site.xml)");
      off.look();
      Path after = placed(tiers, "off");
      assertTrue(after.toRealPath().startsWith(tiers.slow.toRealPath()), after::toString);
      assertTrue(Files.isRegularFile(after, LinkOption.NOFOLLOW_LINKS));
      long slow = 0;
      for (int i = 0; i < 64; i++) {
        slow += tiers.manager.createTempLocalBlock()._2.toPath().startsWith(tiers.slow) ? 1 : 0;
      }
      assertTrue(slow > 0 && slow < 64, "names are drawn as Spark does: " + slow);
      // What was written before is found, and deleted whole.
      assertEquals(CONTENT.length, Files.size(before.toPath()));
      File output = tiers.manager.getFile(Tiers.nameIn(tiers.manager, tiers.slow, "on"));
      assertTrue(output.delete());
      assertTrue(Tiers.files(tiers.fast).stream().noneMatch(f -> f.toString().contains("/on")));
    }
  }

  /** A block whose home is the slow dir. */
  private static Path placed(Tiers tiers, String prefix) throws Exception {
    return placed(tiers, prefix, CONTENT.length);
  }

  private static Path placed(Tiers tiers, String prefix, int bytes) throws Exception {
    String name = Tiers.nameIn(tiers.manager, tiers.slow, prefix);
    File placed = tiers.places.place(tiers.manager.getFile(name), bytes);
    write(placed);
    tiers.places.settle(TieredFile.bytesOf(placed.toPath()));
    return placed.toPath();
  }

  private static Path annex(Path fast) throws IOException {
    return Trees.below(fast).stream()
        .filter(dir -> String.valueOf(dir.getFileName()).startsWith("temptier-blockmgr-"))
        .findFirst()
        .orElseThrow();
  }

  private static void writeHundredRuns(Tiers tiers) throws IOException {
    for (int i = 0; i < 50; i++) {
      write(tiers.manager.createTempShuffleBlock()._2());
      write(tiers.manager.createTempLocalBlock()._2());
    }
  }

  private static File write(File file) throws IOException {
    Files.write(file.toPath(), CONTENT);
    return file;
  }
}
