// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Needs.NeedsRoot;
import io.temptier.fixtures.PipeSwapper;
import io.temptier.fixtures.Programs;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.os.Threads;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.FileUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Users who put links, pipes and lies where demotion looks. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileOutputsTest extends TwoTiers {
  private static final int USERS_UID = 12_345;

  /** What a link leads to: names that demotion would delete in a folder of an output. */
  private Path victim;

  /** What looks like ours, and is another's, is to stay. */
  @Override
  void invariantsHold() {}

  /** As of a move that was killed: the clean-up looks for what it left in the slow dir. */
  @BeforeEach
  void killedMove() throws IOException {
    victim = Files.createDirectory(temp.resolve("victim"));
    Files.writeString(victim.resolve(Candidate.COPY), "precious");
    Files.write(victim.resolve(MapOutputId.DATA), TestOutputs.data(TestNode.id(1), BYTES));
    node.write(fast, 1, BYTES);
    link(fast, slow, 1);
  }

  private void assertVictimWhole() {
    assertTrue(Files.exists(victim.resolve(Candidate.COPY)), "the partial copy is gone");
    assertTrue(Files.exists(victim.resolve(MapOutputId.DATA)), "the copy is gone");
  }

  /** The attempt, or a folder above it, is a link; below that lies the victim. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void theCleanUpFollowsNoLinkToAnAttempt(int above) throws Exception {
    Path link = attempt(slow, 1);
    for (int up = 0; up < above; up++) {
      link = Objects.requireNonNull(link.getParent());
    }
    Path home = temp.resolve("home");
    Path folder = home.resolve(link.relativize(attempt(slow, 1)));
    Files.createDirectories(folder.getParent());
    Files.move(victim, folder);
    victim = folder;
    FileUtil.fullyDelete(link.toFile());
    Files.createDirectories(Objects.requireNonNull(link.getParent()));
    Files.createSymbolicLink(link, home);
    assertEquals(1, node.clean(), "the link beside the output");
    assertVictimWhole();
  }

  /** As under the Linux container executor: the user owns the folders, the NodeManager the rest. */
  @Test
  @NeedsRoot
  void theCleanUpDeletesNothingInAnotherUsersFolders() throws Exception {
    node.write(fast, 2, BYTES);
    link(fast, slow, 2);
    Files.createDirectories(attempt(slow, 2));
    Path own = Files.writeString(attempt(slow, 2).resolve(Candidate.COPY), "the user's own");
    Files.createSymbolicLink(attempt(slow, 1), victim);
    node.give(slow, USERS_UID);
    // The attempt below them is the NodeManager's, as one that it would clean.
    node.write(fast, 3, BYTES);
    link(fast, slow, 3);
    Files.createDirectories(attempt(slow, 3));
    Files.writeString(attempt(slow, 3).resolve(Candidate.COPY), "somebody's");
    assertEquals(3, node.clean(), "the links beside the outputs");
    assertVictimWhole();
    assertTrue(Files.exists(own));
    assertTrue(Files.exists(attempt(slow, 3).resolve(Candidate.COPY)));
  }

  @Test
  void theCleanUpDeletesWhereItLookedWhateverTakesThePlaceOfTheFolder() throws Exception {
    Path attempt = Files.createDirectories(attempt(slow, 1));
    // So that it is not deleted as an empty one.
    Files.createFile(attempt.resolve(MapOutputId.INDEX));
    Path aside = attempt.resolveSibling("aside");
    Path link = attempt.resolveSibling("link");
    AtomicBoolean over = new AtomicBoolean();
    FutureTask<?> swaps =
        new FutureTask<>(
            () -> {
              while (!over.get()) {
                Files.createSymbolicLink(link, victim);
                Files.move(attempt, aside);
                Files.move(link, attempt, StandardCopyOption.ATOMIC_MOVE);
                Files.delete(attempt);
                Files.move(aside, attempt);
              }
              return null;
            });
    Threads.run("swaps", swaps);
    try {
      for (int round = 0; round < 3000 && !swaps.isDone(); round++) {
        try {
          Files.deleteIfExists(attempt(fast, 1).resolve(Candidate.LINK));
          link(fast, slow, 1);
          node.clean();
        } catch (IOException e) {
          // It vanished, or was replaced, between the look and the opening.
        }
        assertVictimWhole();
      }
    } finally {
      over.set(true);
    }
    swaps.get(10, TimeUnit.MINUTES);
  }

  @Test
  void aUsersOwnFilesOfTemporaryNamesCostNothing() throws Exception {
    node.clean();
    MapOutputId id = TestNode.id(1);
    Path copy = Files.createDirectories(attempt(slow, 1).resolve(Candidate.COPY).resolve("x"));
    Path link = Files.createDirectories(attempt(fast, 1).resolve(Candidate.LINK).resolve("x"));
    Path other = Files.createFile(attempt(fast, 1).resolve(Candidate.TEMPORARY + "mine"));
    MapOutputId blocked = node.write(fast, 2, BYTES);
    Files.createDirectories(attempt(slow, 2).getParent());
    Files.createSymbolicLink(attempt(slow, 2), victim);
    MapOutputId good = node.write(fast, 3, BYTES);
    assertEquals(0, node.clean());
    node.demoteAll(fast, 2, good);
    assertTrue(node.holds(fast, id) && node.holds(fast, blocked));
    assertTrue(Files.exists(copy) && Files.exists(link) && Files.exists(other));
    assertVictimWhole();
  }

  @Test
  void whatLiesInAnIndexesPlaceCostsItsOutputOnly() throws Exception {
    replaceByPipe(index(node.write(fast, 1, BYTES)));
    Path linked = index(node.write(fast, 2, BYTES));
    Files.move(linked, temp.resolve("index"));
    Files.createSymbolicLink(linked, temp.resolve("index"));
    Path zero = index(node.write(fast, 3, BYTES));
    Files.delete(zero);
    Files.createSymbolicLink(zero, Path.of("/dev/zero"));
    try (RandomAccessFile huge =
        new RandomAccessFile(index(node.write(fast, 4, BYTES)).toFile(), "rw")) {
      huge.setLength(1L << 42);
    }
    node.write(fast, 5, BYTES);
    TestOutputs.writeIndex(attempt(fast, 5), BYTES, -BYTES);
    Files.write(index(node.write(fast, 6, BYTES)), new byte[0]);
    Files.delete(index(node.write(fast, 7, BYTES)));
    Files.createDirectory(index(TestNode.id(7)));
    replaceByPipe(node.file(fast, node.write(fast, 8, BYTES)));
    node.demoteAll(fast, 0, node.write(fast, 9, BYTES));
    for (int number = 1; number < 8; number++) {
      assertTrue(node.holds(fast, TestNode.id(number)), "output " + number);
    }
  }

  /** A pipe without a writer lets nobody go who opens it. */
  @Test
  void anIndexThatIsSwappedForAPipeStopsNobody() throws Exception {
    MapOutputId id = node.write(fast, 1, BYTES);
    OutputScanner scanner = scanner(new DemotionTally());
    Candidate candidate = node.candidate(fast, id);
    try (PipeSwapper swapper = new PipeSwapper(temp, index(id), Files.readAllBytes(index(id)))) {
      for (int round = 0; round < 300; round++) {
        scanner.complete(candidate);
      }
      swapper.stop();
    }
  }

  /** As one does that is exchanged while it is opened; this one's name is too long. */
  @Test
  void aFolderThatCannotBeReadCostsItsApplicationOnly() throws Exception {
    DemotionTally tally = new DemotionTally();
    OutputScanner scanner = scanner(tally);
    String unreadable = "application_" + "1".repeat(300);
    Map<String, String> users = Map.of(TestNode.APP, TestNode.USER, unreadable, TestNode.USER);
    assertEquals(1, scanner.scan(fast, users).size());
    assertEquals(1, tally.get(DemotionCounter.DEMOTION_FAILURES));
    assertThrows(IOException.class, () -> scanner.scan(fast, Map.of(unreadable, TestNode.USER)));
  }

  private OutputScanner scanner(DemotionTally tally) throws IOException {
    return new OutputScanner(node, node.context(), tally);
  }

  @Test
  void aFolderThatEverybodyMayWriteIsLeftAlone() throws Exception {
    MapOutputId id = node.write(fast, 1, BYTES);
    Files.setAttribute(attempt(fast, 1), "unix:mode", 0777);
    node.demoteAll(fast, 0, node.write(fast, 2, BYTES));
    assertTrue(node.holds(fast, id));
  }

  /** Times that no clock of today gives: they change the order, and nothing else. */
  @Test
  void outputsOfAnyTimeAreMoved() throws Exception {
    for (int number = 1; number < 5; number++) {
      node.write(fast, number, BYTES);
    }
    long day = 86_400;
    setTime(node.file(fast, TestNode.id(1)), -20_000 * day);
    setTime(node.file(fast, TestNode.id(2)), 0);
    setTime(node.file(fast, TestNode.id(3)), 100_000 * day);
    setTime(attempt(fast, 4), 100_000 * day);
    node.demoteAll(fast, 0, TestNode.id(1), TestNode.id(2), TestNode.id(3), TestNode.id(4));
  }

  private static void setTime(Path path, long epochSeconds) throws IOException {
    Files.setLastModifiedTime(path, FileTime.from(epochSeconds, TimeUnit.SECONDS));
  }

  private Path index(MapOutputId id) {
    return node.file(fast, id).resolveSibling(MapOutputId.INDEX);
  }

  private static void replaceByPipe(Path path) throws IOException {
    Files.delete(path);
    Programs.pipe(path);
  }
}
