// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Programs;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.settings.TierSettings;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Writer processes, each a JVM of its own, that race for a fast tier. */
abstract class WriterRace {
  static final int WRITERS = 16;
  static final long TIER_BYTES = 512L << 20;
  static final long FILE_BYTES = 24L << 20;

  /**
   * No claim ends because the machine is busy, and a dir that was full takes files at once again.
   */
  private static final TierSettings SETTINGS =
      Layouts.SETTINGS.toBuilder().claimIdle(Duration.ofMinutes(30)).build();

  @TempDir Path temp;
  final List<Writer> writers = new ArrayList<>();

  private LocalDir fastDir;
  Path fast;
  Path slow;

  /** Makes the fast dir, of {@link #TIER_BYTES}. */
  abstract LocalDir makeFast() throws IOException;

  @BeforeEach
  final void makeNode() throws IOException {
    fastDir = makeFast();
    fast = fastDir.path();
    slow = Files.createDirectories(temp.resolve("slow"));
    Files.createDirectories(claims());
    mark(Reserve.ofBytes(0));
  }

  /** Tells the writers what to keep free. */
  final void mark(Reserve reserve) throws IOException {
    LocalDir slowDir = Layouts.dir(slow, Medium.DISK);
    NodeMarker.write(fast, Layouts.tiers(reserve, SETTINGS, fastDir, slowDir));
  }

  @AfterEach
  void endWriters() throws InterruptedException {
    for (Writer writer : writers) {
      writer.process.destroyForcibly().waitFor();
      writer.reader.join();
    }
  }

  /** All want more than there is: none fails, and at least so much of the room is used. */
  final void neverOvercommit(long room, long least) throws Exception {
    race("tiered", fast + "," + slow, 0);
    assertEquals(0, count("ENOSPC"), "a writer was promised bytes that were not there");
    long written = count("wrote") * FILE_BYTES;
    assertTrue(written <= room, written + " bytes were written where " + room + " fit");
    assertTrue(
        written >= least,
        written + " of " + room + " bytes were used: writers back off more than they must");
  }

  /** Processes that were promised something. */
  final int claimed() {
    return ledgers().length;
  }

  /** What all processes were promised and have not written yet. */
  final long promised() {
    return Arrays.stream(ledgers()).mapToLong(File::length).sum();
  }

  final File[] ledgers() {
    return claims().toFile().listFiles(ledger -> ledger.length() > 0);
  }

  /** One placement of this process in the fast dir. */
  final void askOnce() throws IOException {
    org.apache.hadoop.conf.Configuration conf = new org.apache.hadoop.conf.Configuration(false);
    conf.set("test.dirs", fast + "," + slow);
    TieredLocalDirAllocator allocator = new TieredLocalDirAllocator("test.dirs");
    allocator.getLocalPathForWrite("attempt_x_spill_0.out", 1 << 20, conf);
    TieredLocalDirs.settleEverything();
    TieredLocalDirs.closeAll();
  }

  final void race(String allocator, String dirs, long holdMillis) throws Exception {
    for (int i = 0; i < WRITERS; i++) {
      start(allocator, dirs, i, holdMillis);
    }
    for (Writer writer : writers) {
      writer.go();
    }
    for (Writer writer : writers) {
      assertEquals(0, writer.process.waitFor(), "a writer failed; its error output is above");
      writer.reader.join();
    }
  }

  final long count(String said) {
    return writers.stream()
        .flatMap(writer -> writer.lines.stream())
        .filter(line -> line.startsWith(said))
        .count();
  }

  final Writer start(String allocator, String dirs, int label, long holdMillis) throws Exception {
    return start(allocator, dirs, label, FILE_BYTES, holdMillis);
  }

  final Writer start(
      String allocator, String dirs, int label, long bytes, long holdMillis, String... more)
      throws Exception {
    List<String> program = program(allocator, dirs, label, bytes, holdMillis, more);
    return start(Programs.java(program));
  }

  static List<String> program(
      String allocator, String dirs, int label, long bytes, long holdMillis, String... more) {
    List<String> program =
        new ArrayList<>(
            List.of(
                "-Xmx64m",
                ClaimRaceWriter.class.getName(),
                allocator,
                dirs,
                Long.toString(bytes),
                "attempt_" + label,
                Long.toString(holdMillis)));
    program.addAll(List.of(more));
    return program;
  }

  final Writer start(List<String> command) throws IOException {
    Writer writer = new Writer(Programs.start(command));
    writers.add(writer);
    return writer;
  }

  final Path claims() {
    return NodeMarker.claims(fast);
  }

  /** A writer process and what it said. */
  static final class Writer {
    final Process process;
    final List<String> lines = new CopyOnWriteArrayList<>();
    final Thread reader;

    Writer(Process process) {
      this.process = process;
      this.reader = new Thread(() -> process.inputReader().lines().forEach(lines::add));
      reader.start();
    }

    void go() throws IOException {
      await("ready");
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    }

    /** Waits until it says that; fails when it ends and has not. */
    void await(String word) {
      Eventually.holds("it says " + word, () -> lines.contains(word) || !reader.isAlive());
      assertTrue(lines.contains(word), "a writer failed; its error output is above");
    }
  }
}
