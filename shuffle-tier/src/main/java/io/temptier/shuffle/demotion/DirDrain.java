// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.room.FillGauge;
import io.temptier.tier.settings.DemotionSettings;
import io.temptier.tier.settings.Watermarks;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Keeps one dir below its high mark: once that is reached, moves outputs out of it, the coldest
 * first, until the low mark is. All of them while the operator has the dir emptied. For one thread.
 */
final class DirDrain {
  /** An output that could not be moved is left alone for a while, so that others get their turn. */
  private static final long RETRY_NANOS = Duration.ofMinutes(5).toNanos();

  private static final long LONGEST_BACKOFF_NANOS = Duration.ofMinutes(1).toNanos();
  private static final long FIRST_BACKOFF_NANOS = Duration.ofSeconds(1).toNanos();

  /** Looking through folders for nothing costs at most a twentieth of a core. */
  private static final int REST_FACTOR = 20;

  private static final Watermarks EMPTY = Watermarks.of(0, 0);

  /** Moves an output and deals with whatever happens. */
  @FunctionalInterface
  interface Runner {
    MoveResult move(Candidate candidate, FillGauge gauge);
  }

  private final LocalDir dir;
  private final FillGauge gauge;
  private final DemotionSettings.Marks marks;
  private final Runner runner;
  private final OutputScanner scanner;
  private final CompleteOutput complete;
  private final Pace clock;
  private final LongSupplier wallMillis;
  private final Map<MapOutputId, Long> retryNanos = new HashMap<>();
  private boolean draining;
  private boolean waiting;
  private int failures;
  private long notBeforeNanos;
  private long movedMillis;

  /**
   * The drain of {@code dir}.
   *
   * @param gauge tells how far it is filled
   * @param runner moves
   * @param clock tells the time
   * @param wallMillis the wall clock, which may jump
   */
  DirDrain(
      LocalDir dir,
      FillGauge gauge,
      DemotionSettings.Marks marks,
      Runner runner,
      OutputScanner scanner,
      CompleteOutput complete,
      Pace clock,
      LongSupplier wallMillis) {
    this.dir = dir;
    this.gauge = gauge;
    this.marks = marks;
    this.runner = runner;
    this.scanner = scanner;
    this.complete = complete;
    this.clock = clock;
    this.wallMillis = wallMillis;
    this.notBeforeNanos = clock.nanos();
  }

  LocalDir dir() {
    return dir;
  }

  /**
   * Moves what is to be moved now.
   *
   * @param users of the running applications
   * @return folders of other users that were found, which cannot be drained
   * @throws IOException when the dir cannot be read
   */
  List<java.nio.file.Path> round(Map<String, String> users) throws IOException {
    if (clock.nanos() - notBeforeNanos < 0) {
      return Immutable.listOf();
    }
    FillGauge.Fill fill = gauge.read();
    boolean all = NodeMarker.draining(dir.path());
    if (!all && dir.capped() && !countedSinceMove(fill.walkedMillis())) {
      // It still counts what is gone.
      return Immutable.listOf();
    }
    Watermarks at = all ? EMPTY : marks.at(fill.spillFraction());
    draining = fill.fraction() >= at.high() || (draining && fill.fraction() > at.low());
    if (!draining) {
      return Immutable.listOf();
    }
    retryNanos.keySet().removeIf(id -> !users.containsKey(id.application()));
    long began = clock.nanos();
    OutputScanner.Found found = scanner.scan(dir, users);
    waiting = false;
    if (found.foreign().isEmpty()
        && !drain(DemotionOrder.coldestFirst(found.candidates()), fill, at.low())) {
      long rest = REST_FACTOR * (clock.nanos() - began);
      // Who moves a user's outputs is there in a second, and does not wait for long.
      rest(waiting ? Math.min(rest, FIRST_BACKOFF_NANOS) : rest);
    }
    return found.foreign();
  }

  /**
   * Whether a walk began after the last move. One that the clock was set back under tells nothing.
   */
  private boolean countedSinceMove(long walkedMillis) {
    long now = wallMillis.getAsLong();
    movedMillis = Math.min(movedMillis, now);
    return walkedMillis > movedMillis && walkedMillis <= now;
  }

  /** Moves candidates until the mark is reached; false when nothing could be moved. */
  private boolean drain(List<Candidate> candidates, FillGauge.Fill fill, double low)
      throws IOException {
    long freed = 0;
    long tooLarge = Long.MAX_VALUE;
    for (Candidate candidate : candidates) {
      if (left(fill, freed, low) <= 0) {
        return true;
      }
      // One large output, or one that only looks so, is not to keep the others here.
      if (candidate.stamp().bytes() >= tooLarge
          || waits(candidate.id())
          || !complete.is(candidate.id(), dir, candidate.stamp().bytes())) {
        continue;
      }
      MoveResult result = runner.move(candidate, gauge);
      switch (result) {
        case MOVED:
          freed += candidate.stamp().bytes();
          failures = 0;
          movedMillis = wallMillis.getAsLong();
          break;
        case GIVEN_UP:
          retryNanos.put(candidate.id(), clock.nanos());
          break;
        case FAILED:
          retryNanos.put(candidate.id(), clock.nanos());
          failed();
          return true;
        case NOT_YET:
          waiting = true;
          break;
        case NO_ROOM:
          tooLarge = candidate.stamp().bytes() / 2;
          break;
        case BUSY:
          return freed > 0;
      }
      if (Thread.currentThread().isInterrupted()) {
        return true;
      }
    }
    return freed > 0;
  }

  /**
   * Bytes that are still to go: what was too much at first less what was moved, for a file system
   * may free it later; and no more than what is too much now, for others free room too.
   */
  private long left(FillGauge.Fill fill, long freed, double low) throws IOException {
    long ofFileSystem = fill.bytesAbove(low) - freed;
    if (ofFileSystem > 0) {
      ofFileSystem = Math.min(ofFileSystem, gauge.read().bytesAbove(low));
    }
    return Math.max(ofFileSystem, fill.capBytesAbove(low) - freed);
  }

  private boolean waits(MapOutputId id) {
    Long since = retryNanos.get(id);
    return since != null && clock.nanos() - since < RETRY_NANOS;
  }

  /** Leaves the dir alone for a while, longer each time. */
  void failed() {
    rest(Math.min(LONGEST_BACKOFF_NANOS, FIRST_BACKOFF_NANOS << Math.min(failures, 6)));
    failures++;
  }

  private void rest(long nanos) {
    notBeforeNanos = clock.nanos() + Math.min(nanos, LONGEST_BACKOFF_NANOS);
  }

  @Override
  public String toString() {
    return dir.toString();
  }
}
