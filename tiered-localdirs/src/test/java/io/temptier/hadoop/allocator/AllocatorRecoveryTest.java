// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.tier.Layouts;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.marker.TierSettings;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.util.DiskChecker.DiskErrorException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Dirs that vanish, are emptied or come back, where stock gives up on them for the life of the JVM
 * (HADOOP-18636, HADOOP-19554, HADOOP-19387); and names for which no dir is given up.
 */
class AllocatorRecoveryTest extends AllocatorBed {
  private int again;

  @BeforeEach
  void publish() throws IOException {
    NodeTiers unused = publish(0, TierSettings.DEFAULT);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDirThatWasDeletedOrEmptiedIsUsedOn(boolean deleted) throws IOException {
    assertEquals(fast, place("x/f"));
    if (deleted) {
      FileUtil.fullyDelete(fast.toFile());
    } else {
      FileUtil.fullyDeleteContents(fast.toFile());
    }
    place("x/meanwhile");
    Layouts.root(fast);
    assertEventuallyPlacedIn(fast);
    assertTrue(Files.isDirectory(fast.resolve("x")));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDirWithAFileInItsPlaceIsLeftForTheOthersUntilItIsBack(boolean used) throws IOException {
    if (used) {
      assertEquals(fast, place("x/f"));
    }
    FileUtil.fullyDelete(fast.toFile());
    Files.createFile(fast);
    assertEquals(slow, place("x/g"));
    assertEquals(slow, place("x/h"));
    Files.delete(fast);
    Layouts.root(fast);
    assertEventuallyPlacedIn(fast);
  }

  @Test
  void filesOfADirThatIsGoneAreNotFoundAndThoseOfTheOthersAre() throws IOException {
    place("f");
    Files.createFile(fast.resolve("f"));
    Files.createFile(slow.resolve("g"));
    assertEquals(fast.resolve("f") + "", allocator.getLocalPathToRead("f", conf) + "");
    FileUtil.fullyDelete(fast.toFile());
    assertThrows(DiskErrorException.class, () -> allocator.getLocalPathToRead("f", conf));
    assertEquals(slow.resolve("g") + "", allocator.getLocalPathToRead("g", conf) + "");
    assertFalse(allocator.ifExists("f", conf));
  }

  @Test
  void allDirsGoneIsAnErrorUntilOneIsBack() throws IOException {
    place("f");
    for (Path dir : List.of(fast, slow)) {
      FileUtil.fullyDelete(dir.toFile());
      Files.createFile(dir);
    }
    assertThrows(DiskErrorException.class, () -> allocator.getLocalPathForWrite("f", MB, conf));
    Files.delete(slow);
    Layouts.root(slow);
    assertEventuallyPlacedIn(slow);
  }

  /** As S3A does since Hadoop 3.4: it asks for a path, and makes a file whose name begins so. */
  @Test
  void anUploadBufferIsClaimedForUntilItIsGone() throws IOException {
    File one = block();
    File two = block();
    assertEquals(20 * MB, claimed(fast));
    Files.write(one.toPath(), new byte[(int) MB]);
    Files.write(two.toPath(), new byte[(int) MB]);
    assertEventuallyClaimed(18 * MB);
    Files.delete(one.toPath());
    assertEventuallyClaimed(9 * MB);
    Files.delete(two.toPath());
    assertEventuallyClaimed(0);
  }

  private File block() throws IOException {
    File asked =
        new File(allocator.getLocalPathForWrite("s3ablock-0001-", 10 * MB, conf).toString());
    return File.createTempFile(asked.getName(), null, asked.getParentFile());
  }

  @Test
  void lookingWhetherAFileExistsDoesNotSettleItAndReadingItDoes() throws IOException {
    Path file = place("f").resolve("f");
    Files.createFile(file);
    allocator.ifExists("f", conf);
    allocator.getAllLocalPathsToRead("f", conf);
    assertEquals(MB, claimed(fast));
    allocator.getLocalPathToRead("f", conf);
    assertEventuallyClaimed(0);
  }

  /** A JVM that runs many tasks sees a list of dirs with each of them. */
  @Test
  void anAllocatorThatWasIdleStillGivesItsClaimsBack() throws IOException {
    writeOne(allocator, 0, "before");
    int moreThanAreRemembered = 200;
    for (int task = 1; task <= moreThanAreRemembered; task++) {
      writeOne(new TieredLocalDirAllocator(key), task, "file");
    }
    writeOne(allocator, 0, "after");
    assertEventuallyClaimed(0);
    assertTrue(ledgers(fast).length <= 1, () -> "all share one: " + List.of(ledgers(fast)));
  }

  private void writeOne(TieredLocalDirAllocator allocator, int task, String name)
      throws IOException {
    conf.set(key, fast.resolve("task-" + task).toString());
    Path file = Path.of(allocator.getLocalPathForWrite(name, MB, conf).toUri().getPath());
    Files.write(file, new byte[] {1});
    allocator.dirs.settled(file);
  }

  /** A moment later others see what was given up. */
  private void assertEventuallyClaimed(long bytes) {
    Eventually.holds(bytes + " bytes are claimed", () -> claimed(fast) == bytes);
  }

  /** Places a file and says in which root. */
  private Path place(String path) throws IOException {
    return rootOf(place(path, MB));
  }

  private void assertEventuallyPlacedIn(Path dir) {
    Eventually.holds(dir + " is used again", () -> dir.equals(place("x/again" + again++)));
  }

  /** Names that no file can have, or few. */
  static List<String> oddNames() {
    String most = "n".repeat(5000);
    return List.of(
        "nul\u0000name",
        "nul\u0000folder/file",
        most,
        most + "/file",
        "n".repeat(255) + "/file",
        "folder/" + "d/".repeat(3000) + "file",
        "",
        "/",
        ".",
        "..",
        "../beside",
        "line\nbreak",
        "\uD83D\uDE00",
        "\uD83D unpaired",
        "a//b",
        "space at end ",
        "c:d",
        "%s%n");
  }

  @FunctionalInterface
  private interface Asked {
    Object of(LocalDirAllocator asked) throws IOException;
  }

  @ParameterizedTest
  @MethodSource("oddNames")
  void oddNamesAreAnsweredAsStockDoesAndCostNoDir(String name) throws IOException {
    conf.set(key + ".stock", conf.get(key));
    for (long size : new long[] {-1, 0, 1, 1 << 20}) {
      assertAsStock(asked -> asked.getLocalPathForWrite(name, size, conf, true));
      assertAsStock(asked -> asked.getLocalPathForWrite(name, size, conf, false));
    }
    assertAsStock(asked -> asked.createTmpFileForWrite(name, MB, conf));
    assertAsStock(asked -> asked.getLocalPathToRead(name, conf));
    assertAsStock(asked -> asked.ifExists(name, conf));
  }

  private void assertAsStock(Asked question) throws IOException {
    assertEquals(
        outcome(question, new LocalDirAllocator(key + ".stock")), outcome(question, allocator));
    assertEquals(fast, place("plain"));
  }

  /** What kind of answer came; in which dir the file is to lie differs. */
  private static String outcome(Asked question, LocalDirAllocator asked) {
    try {
      return question.of(asked).getClass().getName();
    } catch (IOException | RuntimeException e) {
      return e.getClass().getName();
    }
  }
}
