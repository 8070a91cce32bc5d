// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Accounts;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.lab.cluster.BackgroundSort;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.NodeMoves;
import io.temptier.lab.cluster.PseudoCluster;
import io.temptier.lab.process.Shell;
import io.temptier.lab.testbed.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Sorts of two users whose tasks run as them, on a NodeManager that is neither: their outputs move
 * down as their own, and are served from both tiers. The fast one holds a third of what they sort.
 */
@NeedsLoopDisk
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 20, unit = TimeUnit.MINUTES)
abstract class TwoUsersContract {
  private static final long ROWS = 960_000;
  private static final int ROW_BYTES = 100;
  private static final int MAPS = 6;
  private static final int ROUNDS = 5;
  private static final int NODE_MIB = 4096;
  private static final int MAP_MIB = NODE_MIB / 2;

  /** A third of what is sorted, which both sorts write twice, and what ext4 keeps for itself. */
  private static final long FAST_BYTES = 70 << 20;

  SecureNode node;
  PseudoCluster cluster;
  NodeMoves moves;
  private LoopDisk disk;
  private BackgroundSort.Input input;

  @BeforeAll
  void start() throws Exception {
    node = SecureNode.create();
    prepare();
    disk = LoopDisk.create(Files.createDirectories(node.home.resolve("disk")), FAST_BYTES);
    Accounts.give(disk.path().resolve("fast"), node.nodeUser);
    cluster = PseudoCluster.start(spec("64m"));
    moves = new NodeMoves(cluster);
    input = BackgroundSort.Input.generate(cluster, ROWS, MAPS);
    // Where jobs of all users are staged, and leave their histories.
    cluster.fs("-mkdir", "-p", "/tmp/hadoop-yarn/staging");
    cluster.fs("-chmod", "-R", "1777", "/tmp");
    long fast = fast().toFile().getTotalSpace();
    assertTrue(3 * fast <= 2 * ROWS * ROW_BYTES, "the fast tier has " + fast + " bytes");
  }

  abstract void prepare() throws Exception;

  @AfterAll
  void stop() throws IOException {
    if (cluster != null) {
      cluster.close();
    }
    if (disk != null) {
      disk.close();
    }
    if (node != null) {
      node.close();
    }
  }

  ClusterSpec spec(String rate) throws IOException {
    return node.spec()
        .nodeMemoryMiB(NODE_MIB)
        .tiered(true)
        .dirs(
            new ClusterSpec.Dir("[NVME]", disk.path().resolve("fast")),
            new ClusterSpec.Dir("[DISK]", Path.of("slow")))
        .yarn("temptier.reserve.disk", "1m")
        .yarn("temptier.unknown-size", "1m")
        .yarn("temptier.demotion.cold-after", "1ms")
        .yarn("temptier.demotion.high", "65%")
        // Near the high one: what stays is served from the fast tier.
        .yarn("temptier.demotion.low", "60%")
        .yarn("temptier.demotion.rate", rate);
  }

  /**
   * Has each output move once it is written. By the other marks one moves only where a map's spills
   * lie beside it for as long as a helper takes to start.
   */
  private ClusterSpec emptying(String rate) throws IOException {
    return spec(rate).yarn("temptier.demotion.high", "15%").yarn("temptier.demotion.low", "5%");
  }

  Path fast() {
    return cluster.localDirs(0).get(0);
  }

  Path slow() {
    return cluster.localDirs(0).get(1);
  }

  /**
   * A sort with one map after the other, since what all maps write at once fills the fast tier with
   * spills, and their outputs go elsewhere. Reducers write nothing before they have fetched all, so
   * that what is left on the fast tier once demotion is at its low mark stays there.
   */
  BackgroundSort sort(String user, String out) {
    return input.sortThroughRestarts(
        "/users/" + user + "/" + out,
        "-Dmapreduce.map.memory.mb=" + MAP_MIB,
        "-Dmapreduce.reduce.shuffle.input.buffer.percent=0.7");
  }

  @Test
  void outputsOfBothMoveDownAsTheirOwnAndAreServed() throws Exception {
    Set<String> seen = new HashSet<>();
    // Which outputs move is up to their age, so that in one round they may be one user's only.
    for (int round = 0; seen.size() < 2 || !bothServe(); round++) {
      int rounds = round;
      assertTrue(round < ROUNDS, () -> rounds + " rounds: of " + seen + " some moved");
      List<BackgroundSort> sorts =
          List.of(sort(node.ann, "out" + round), sort(node.bob, "out" + round));
      while (!sorts.stream().allMatch(BackgroundSort::isDone)) {
        if (!seen.contains(node.ann) && movedAsTheirOwn(node.ann, node.bob)) {
          seen.add(node.ann);
        }
        if (!seen.contains(node.bob) && movedAsTheirOwn(node.bob, node.ann)) {
          seen.add(node.bob);
        }
        Thread.sleep(100);
      }
      for (BackgroundSort sort : sorts) {
        sort.unharmed();
      }
    }
    System.out.println("Demotion: " + moves.demotion());
    assertEquals(0, moves.number("HelperFailures"));
    assertEquals(0, moves.number("DemotionFailures"));
    assertEquals(0, moves.number("DemotionOff"));
    assertTrue(moves.number("FilesDemoted") >= 2);
    // How many is up to timing: one that waits in vain ends, and another is started.
    assertTrue(moves.number("HelperStarts") >= 2, moves.demotion().toString());
    System.out.println("Served: " + moves.media());
    NodeMoves.awaitClean(cluster);
  }

  /**
   * Whether outputs of a user have moved, are as stock Hadoop made them, and closed to another one.
   * False, too, where the job ends while we look.
   */
  private boolean movedAsTheirOwn(String owner, String other) throws IOException {
    if (moved(owner) == 0) {
      return false;
    }
    List<Path> copies = files(slow(), owner, file -> file.endsWith("file.out"));
    try {
      for (Path copy : copies) {
        assertStillTheUsers(owner, copy);
      }
    } catch (NoSuchFileException e) {
      return false;
    }
    if (copies.isEmpty()) {
      return false;
    }
    assertClosed(owner, other, copies.get(0));
    return Files.exists(copies.get(0));
  }

  private void assertStillTheUsers(String user, Path copy) throws IOException {
    PosixFileAttributes file = attributes(copy);
    PosixFileAttributes folder = attributes(copy.resolveSibling("."));
    assertEquals(user, file.owner().getName());
    assertEquals(node.executor.group(), file.group().getName());
    assertEquals(user, folder.owner().getName());
    assertEquals(node.executor.group(), folder.group().getName());
    assertEquals(02750, (int) Files.getAttribute(copy.resolveSibling("."), "unix:mode") & 07777);
    String mode = PosixFilePermissions.toString(file.permissions());
    assertTrue(mode.matches("rw-r--(r|-)--"), mode);
  }

  /** What a user has is closed to another one, in the real dirs as in the batches'. */
  private void assertClosed(String owner, String other, Path copy) throws IOException {
    Path scratch = slow().resolve(".temptier/as-user");
    assertRefused(other, "ls", fast().resolve("usercache").resolve(owner).toString());
    assertRefused(other, "cat", copy.toString());
    assertRefused(other, "rm", copy.toString());
    assertRefused(other, "ls", scratch.resolve("own").toString());
    assertRefused(other, "ls", scratch.resolve("local/usercache").resolve(owner).toString());
    assertRefused(other, "mkdir", scratch.resolve("local/usercache/mine").toString());
    assertRefused(other, "touch", fast().resolve(".temptier/layout").toString());
    // Journals of the tasks that run lie in their applications' folders.
    assertRefused(owner, "touch", fast().resolve("usercache").resolve("mine").toString());
  }

  private static void assertRefused(String user, String... command) throws IOException {
    List<String> line = Accounts.as(user, List.of(command));
    assertThrows(IOException.class, () -> Shell.run(line), () -> String.join(" ", line));
  }

  static PosixFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  /** How many outputs of a user are links to where they were moved. */
  int moved(String user) {
    return NodeMoves.links(fast().resolve("usercache").resolve(user));
  }

  static List<Path> files(Path dir, String user, Predicate<Path> wanted) {
    return Folders.find(dir.resolve("usercache").resolve(user), wanted);
  }

  @Test
  @EnabledIfSystemProperty(named = "temptier.users", matches = "1")
  void aNodeManagerKilledInAMoveAndRestartedAsStockCostsNothing() throws Exception {
    BackgroundSort sort = sortInAMove(node.ann, "killed");
    cluster.killNode(0);
    // Where stock's handler serves nothing ours takes over, and moves as little.
    ClusterSpec asStock = spec("1m").yarn("temptier.demotion.enabled", "false");
    cluster.restartNode(0, asStock.tiered(!stockServes()));
    // Later the application's end would remove it.
    sort.await(
        "the move to be taken back",
        () -> NodeMoves.leftovers(fast()).isEmpty() && NodeMoves.leftovers(slow()).isEmpty());
    sort.unharmedThroughRestarts();
    assertEquals(List.of(), NodeMoves.leftovers(fast()));
    assertEquals(List.of(), NodeMoves.leftovers(slow()));
    cluster.restartNode(0, spec("64m"));
  }

  boolean stockServes() {
    return true;
  }

  @Test
  @EnabledIfSystemProperty(named = "temptier.users", matches = "1")
  void aNodeManagerKilledInAMoveAndRestartedGoesOn() throws Exception {
    BackgroundSort sort = sortInAMove(node.bob, "restarted");
    cluster.killNode(0);
    cluster.restartNode(0, emptying("64m"));
    sort.await("an output to move", () -> moved(node.bob) > 0);
    sort.unharmedThroughRestarts();
    NodeMoves.awaitClean(cluster);
    cluster.restartNode(0, spec("64m"));
  }

  @Test
  @EnabledIfSystemProperty(named = "temptier.users", matches = "1")
  void whatAKilledHelperLeftIsRemovedAsTheUser() throws Exception {
    BackgroundSort sort = sortInAMove(node.bob, "leftover");
    for (ProcessHandle process : cluster.containers()) {
      if (process.info().commandLine().orElse("").contains("MoveBatch")) {
        assertTrue(process.destroyForcibly());
      }
    }
    sort.await("the user to be set aside", () -> moves.number("HelperFailures") == 1);
    assertFalse(NodeMoves.copies(slow(), 100_000).isEmpty());
    // Stopped in good order it ends the job's containers, and deletes what they and the helper
    // left.
    cluster.killNode(0);
    cluster.restartNode(0, emptying("64m"));
    sort.await("the copy to be removed", () -> moves.number("LeftoversRemoved") > 0);
    sort.unharmedThroughRestarts();
    NodeMoves.awaitClean(cluster);
    cluster.restartNode(0, spec("64m"));
  }

  /** A sort that goes on while an output of it is half moved. */
  private BackgroundSort sortInAMove(String user, String out) throws Exception {
    cluster.restartNode(0, emptying("1m"));
    BackgroundSort sort = sort(user, out);
    sort.await("a move", () -> !NodeMoves.copies(slow(), 100_000).isEmpty());
    return sort;
  }

  private boolean bothServe() throws IOException {
    return StreamSupport.stream(moves.media().spliterator(), false)
        .allMatch(medium -> medium.path("SegmentsSent").asLong() > 0);
  }
}
