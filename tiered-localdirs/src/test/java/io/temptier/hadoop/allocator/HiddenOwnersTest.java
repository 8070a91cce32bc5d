// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.fixtures.Programs;
import io.temptier.testing.SharedNode;
import io.temptier.tier.Layouts;
import io.temptier.tier.Reserve;
import io.temptier.tier.claim.ClaimSweep;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.TierSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Claims of processes that others cannot see, of two users on a node whose NodeManager is a third.
 * One that is stopped renews its claim no more; its container runs until the NodeManager says that
 * it does not.
 */
@NeedsLoopDisk
@Timeout(1200)
class HiddenOwnersTest {
  private static final long TIER_BYTES = 128L << 20;
  private static final List<String> VISIBLE = List.of();
  private static final Set<String> WORDS = Set.of("ready", "placed", "wrote", "ended");

  /** Of ann's application. */
  private static final String CONTAINER = "container_e02_1_0001_01_000002";

  private static final TierSettings SETTINGS =
      Layouts.SETTINGS.toBuilder().claimIdle(Duration.ofMinutes(30)).build();

  /** What keeps a process from being seen. */
  enum Hidden {
    /** As in a container of Docker or runC. */
    PID_NAMESPACE("unshare", "--pid", "--fork", "--mount-proc"),
    /** A node whose users do not see each other's processes, and the NodeManager neither. */
    HIDEPID(
        "unshare", "-m", "sh", "-c", "mount -t proc -o hidepid=2 proc /proc && exec \"$@\"", "sh");

    private final List<String> command;

    Hidden(String... command) {
      this.command = List.of(command);
    }
  }

  /** The NodeManager's part: the container runs while a file is there. */
  public static final class Sweeper {
    public static void main(String[] args) throws Exception {
      ClaimSweep sweep = new ClaimSweep(Path.of(args[0]), System::currentTimeMillis);
      Path runs = Path.of(args[1]);
      while (System.in.available() == 0) {
        sweep.sweep(Map.of(args[2], args[3]), Files.exists(runs) ? Set.of(CONTAINER) : Set.of());
        Thread.sleep(500);
      }
    }
  }

  @TempDir Path temp;
  private final List<Process> processes = new ArrayList<>();
  @AutoClose private LoopDisk disk;
  @AutoClose private SharedNode node;
  private Path runs;
  private long bytes;

  @BeforeEach
  void makeNode() throws IOException {
    disk = LoopDisk.create(temp, TIER_BYTES);
    Path fast = disk.path().resolve("yarn");
    Reserve reserve = Reserve.ofFraction(0.4);
    node = new SharedNode(temp, fast, temp.resolve("slow"), reserve, SETTINGS);
    runs = Files.createFile(temp.resolve("runs"));
    // Two thirds of the room: there is none for two of them.
    bytes = (fast.toFile().getUsableSpace() - reserve.bytesOf(TIER_BYTES)) * 2 / 3;
  }

  @AfterEach
  void endProcesses() throws Exception {
    for (Process process : processes) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aStoppedProcessKeepsItsPromiseAsLongAsItsContainerRuns(Hidden hidden) throws Exception {
    // The NodeManager is in no container.
    startSweeper(hidden == Hidden.HIDEPID ? hidden.command : VISIBLE);
    Path claim = stoppedHolder(hidden.command).claim();
    assertEquals(List.of("ready", "ended"), askAs(node.bob, hidden.command), "it got her room");
    assertEquals(List.of("ready", "ended"), askAs(node.ann, hidden.command));
    assertTrue(Files.exists(claim));

    Files.delete(runs);
    assertPlacedSoon(hidden.command);
  }

  /** As where its user is of the group that {@code hidepid} exempts. */
  @Test
  void aStoppedProcessThatTheNodeManagerAloneSeesKeepsItsPromise() throws Exception {
    startSweeper(VISIBLE);
    Path claim = stoppedHolder(VISIBLE).claim();
    assertEquals(List.of("ready", "ended"), askAs(node.bob, Hidden.HIDEPID.command));
    assertTrue(Files.exists(claim));
  }

  @Test
  void aProcessThatWasSeenToEndPromisesNothingThoughItsContainerRuns() throws Exception {
    startSweeper(VISIBLE);
    Holder holder = stoppedHolder(VISIBLE);
    holder.process().destroyForcibly().waitFor();
    assertPlacedSoon(VISIBLE);
  }

  /** Bob gets the room when the claim counts no more. */
  private void assertPlacedSoon(List<String> hidden) {
    Eventually.holds("it is promised to another", () -> askAs(node.bob, hidden).contains("placed"));
  }

  private record Holder(Process process, Path claim) {}

  /** A process of ann's that was promised bytes, and is stopped for longer than a lease. */
  private Holder stoppedHolder(List<String> hidden) throws Exception {
    Process process = start(hidden, writer(node.ann, 600_000));
    ClaimRaceTest.Writer holder = new ClaimRaceTest.Writer(process);
    holder.go();
    holder.await("placed");
    String[] names =
        NodeMarker.claims(node.fast)
            .toFile()
            .list((folder, name) -> name.contains(CONTAINER) && !name.contains("-lease"));
    assertEquals(1, names == null ? 0 : names.length);
    Path claim = NodeMarker.claims(node.fast).resolve(names[0]);
    // A fork may stand before the JVM.
    long pid = process.children().findFirst().map(ProcessHandle::pid).orElse(process.pid());
    Programs.run(List.of("kill", "-STOP", Long.toString(pid)));
    long stopped = Files.getLastModifiedTime(claim).toMillis();
    Eventually.holds(
        "its lease of five seconds is over", () -> System.currentTimeMillis() > stopped + 6_000);
    return new Holder(process, claim);
  }

  private void startSweeper(List<String> hidden) throws IOException {
    List<String> program =
        List.of(
            Sweeper.class.getName(),
            node.fast.toString(),
            runs.toString(),
            node.application(node.ann),
            node.ann);
    Process unused = start(hidden, node.java(node.nodeUser, program));
  }

  private List<String> writer(String user, long holdMillis) throws IOException {
    String dirs = node.appDir(node.fast, user) + "," + node.appDir(node.slow, user);
    return node.java(user, ClaimRaceTest.program("tiered", dirs, user, bytes, holdMillis));
  }

  private Process start(List<String> hidden, List<String> program) throws IOException {
    List<String> line = new ArrayList<>(hidden);
    line.addAll(program);
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.environment().put("CONTAINER_ID", CONTAINER);
    Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    processes.add(process);
    return process;
  }

  /** What a process that wants one such file says; it ends by itself. */
  private List<String> askAs(String user, List<String> hidden) throws Exception {
    ClaimRaceTest.Writer asking = new ClaimRaceTest.Writer(start(hidden, writer(user, 0)));
    asking.go();
    assertEquals(0, asking.process.waitFor(), asking.lines::toString);
    asking.reader.join();
    return asking.lines.stream().filter(WORDS::contains).toList();
  }
}
