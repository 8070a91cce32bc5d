// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.HangingDisk;
import io.temptier.fixtures.Needs.NeedsBindfs;
import io.temptier.fixtures.Programs;
import io.temptier.tier.marker.NodeMarker;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Movers of one node that may write 64 MiB a second together. */
class NodeRateTest {
  private static final long RATE = 64L << 20;
  private static final int PROCESSES = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir Path temp;

  private Path root = Path.of("/");

  /** Moves until it reads something. */
  static final class Mover {
    private Mover() {}

    public static void main(String[] args) throws Exception {
      try (NodeRate rate = new NodeRate(List.of(Path.of(args[0])), RATE)) {
        while (System.in.available() == 0) {
          rate.nanosFor(1 << 20);
          System.out.println(rate.shareBytes());
          TimeUnit.MILLISECONDS.sleep(100);
        }
      }
    }
  }

  @BeforeEach
  void makeFolder() throws IOException {
    root = temp.toRealPath();
    Files.createDirectories(NodeMarker.movers(root));
  }

  @Test
  void processesShareTheRateAndLeaveIt() throws Exception {
    List<Process> processes = new ArrayList<>();
    try (NodeRate last = new NodeRate(List.of(root), RATE)) {
      for (int i = 0; i < PROCESSES; i++) {
        processes.add(Programs.start(Programs.java(Mover.class, root)));
      }
      for (Process process : processes) {
        BufferedReader said = process.inputReader();
        String line = said.readLine();
        while (line != null && Long.parseLong(line) != RATE / PROCESSES) {
          line = said.readLine();
        }
        assertEquals(String.valueOf(RATE / PROCESSES), line);
      }
      processes.get(0).getOutputStream().write('\n');
      processes.get(0).getOutputStream().flush();
      // Not heard any more.
      processes.get(1).destroyForcibly();
      awaitShare(last, RATE / 2);
      processes.get(2).destroyForcibly();
      awaitShare(last, RATE);
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
    NodeRate.sweep(List.of(root), System.currentTimeMillis() + PATIENCE.toMillis());
    try (Stream<Path> left = Files.list(NodeMarker.movers(root))) {
      assertEquals(List.of(), left.toList());
    }
  }

  private static void awaitShare(NodeRate rate, long bytes) {
    Eventually.holds(
        "its share is " + bytes,
        () -> {
          rate.nanosFor(1 << 20);
          return rate.shareBytes() == bytes;
        });
  }

  /** Whatever a user puts into the folder, others keep their part. */
  @Test
  void aUserWithManyMoversCostsThatUser() {
    List<Integer> others = new ArrayList<>(List.of(7, 8));
    for (int i = 0; i < 10_000; i++) {
      others.add(9);
    }
    assertEquals(RATE / 3 / 2, NodeRate.share(RATE, 7, others));
    assertEquals(RATE / 3 / 10_001, NodeRate.share(RATE, 9, others));
    assertEquals(RATE / 4, NodeRate.share(RATE, 10, others));
    assertEquals(RATE, NodeRate.share(RATE, 7, List.of()));
  }

  @Test
  void aLongMoveIsHeldForOneUntilItIsDone() throws IOException {
    try (NodeRate slow = new NodeRate(List.of(root), 1 << 20);
        NodeRate other = new NodeRate(List.of(root), 1 << 20)) {
      assertEquals(Duration.ofSeconds(90).toNanos(), slow.nanosFor(90L << 20));
      try (Stream<Path> files = Files.list(NodeMarker.movers(root))) {
        FileTime until = Files.getLastModifiedTime(files.findFirst().orElseThrow());
        assertTrue(
            until.toMillis() > System.currentTimeMillis() + Duration.ofSeconds(60).toMillis(),
            until::toString);
      }
      other.nanosFor(1);
      assertEquals(1 << 19, other.shareBytes());
    }
  }

  @Test
  void whatIsNotOursIsNoMover() throws IOException {
    Path folder = NodeMarker.movers(root);
    Files.createFile(folder.resolve("ended"));
    Files.setLastModifiedTime(folder.resolve("ended"), FileTime.fromMillis(1));
    Files.createFile(folder.resolve("forever"));
    Files.setLastModifiedTime(
        folder.resolve("forever"), FileTime.fromMillis(System.currentTimeMillis() * 2));
    Files.createSymbolicLink(folder.resolve("link"), root);
    try (NodeRate rate = new NodeRate(List.of(temp.resolve("absent"), root), RATE)) {
      rate.nanosFor(1);
      assertEquals(RATE, rate.shareBytes());
    }
  }

  @Test
  void withoutAFolderAMoverIsAlone() throws IOException {
    Files.delete(NodeMarker.movers(root));
    try (NodeRate one = new NodeRate(List.of(root), RATE);
        NodeRate other = new NodeRate(List.of(root), RATE)) {
      assertEquals(TimeUnit.SECONDS.toNanos(1), one.nanosFor(RATE));
      assertEquals(TimeUnit.SECONDS.toNanos(1), other.nanosFor(RATE));
    }
    assertTrue(Files.notExists(NodeMarker.movers(root)));
  }

  @Test
  @NeedsBindfs
  void aDirThatHangsStopsNoMoveBetweenOthers() throws Exception {
    try (HangingDisk disk = HangingDisk.create(temp, "hung");
        NodeRate other = new NodeRate(List.of(root), RATE)) {
      Path hung = disk.path();
      Files.createDirectories(NodeMarker.movers(hung));
      // Either stands first: who moves says so in the fastest dir, and looks into all.
      NodeRate rate = new NodeRate(List.of(hung, root), RATE);
      NodeRate reversed = new NodeRate(List.of(root, hung), RATE);
      disk.hang();
      other.nanosFor(1);
      assertTimeoutPreemptively(
          PATIENCE,
          () -> {
            rate.nanosFor(1);
            assertEquals(RATE / 2, rate.shareBytes());
            reversed.nanosFor(1);
            assertEquals(RATE / 3, reversed.shareBytes());
            rate.close();
            reversed.close();
          });
    }
  }
}
