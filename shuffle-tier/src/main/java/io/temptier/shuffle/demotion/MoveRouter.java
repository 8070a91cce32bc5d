// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.demotion.move.Candidate;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.os.thread.Threads;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.room.FillGauge;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses where the outputs of one dir go: to the next tier with room, its dirs by turns. Where a
 * move to one fails the others are tried. What a busy disk would take waits for it, and so does
 * what a disk would take that failed a moment ago: that an output sinks further is for want of room
 * alone, or for a disk that hangs. For one thread.
 */
final class MoveRouter {
  private static final long LOOK_MILLIS = 200;
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final Logger LOG = LoggerFactory.getLogger(MoveRouter.class);

  /**
   * The way to one file system. Moves go one at a time, each on a spare thread. When that thread
   * hangs in a disk, the router stops waiting for it and no other move begins here until it comes
   * back.
   */
  static final class Lane {
    private final List<LocalDir> targets;
    private final Placer placer;

    /** True while a move runs here, or hangs. */
    private final AtomicBoolean taken = new AtomicBoolean();

    /** True if the last move failed: the lane is left alone for a while. */
    private boolean failed;

    private long restsUntilNanos;

    /**
     * A way.
     *
     * @param targets dirs of one file system
     * @param placer of these alone
     */
    Lane(List<LocalDir> targets, Placer placer) {
      this.targets = targets;
      this.placer = placer;
    }
  }

  private final List<List<Lane>> tiers;
  private final FillGauge gauge;
  private final Moves moves;
  private final DemotionTally tally;
  private final Duration stall;
  private final LongSupplier clockNanos;
  private int turn;

  /**
   * A router.
   *
   * @param tiers the ways down, those to the next tier first
   * @param gauge of the dir
   * @param stall how long a move may take to its next step before it is left behind
   */
  MoveRouter(
      List<List<Lane>> tiers,
      FillGauge gauge,
      Moves moves,
      DemotionTally tally,
      Duration stall,
      LongSupplier clockNanos) {
    this.tiers = tiers;
    this.gauge = gauge;
    this.moves = moves;
    this.tally = tally;
    this.stall = stall;
    this.clockNanos = clockNanos;
  }

  /**
   * Moves outputs of one application.
   *
   * @param batch loses what was moved, and what there is no room for now
   * @param moved told of each that was moved
   */
  MoveResult move(List<Candidate> batch, Consumer<Candidate> moved) {
    turn++;
    for (List<Lane> lanes : tiers) {
      boolean busy = false;
      boolean failed = false;
      for (int i = 0; i < lanes.size(); i++) {
        Lane lane = lanes.get(Math.floorMod(turn + i, lanes.size()));
        if (lane.taken.get()) {
          continue;
        }
        MoveResult result = move(batch, lane, moved);
        if (result == MoveResult.MOVED
            || result == MoveResult.GIVEN_UP
            || result == MoveResult.NOT_YET) {
          return result;
        }
        if (batch.isEmpty()) {
          return MoveResult.MOVED;
        }
        busy |= result == MoveResult.BUSY;
        failed |= result == MoveResult.FAILED;
      }
      if (failed) {
        // Not busy: others are to have their turn before this one is tried again.
        return MoveResult.FAILED;
      }
      if (busy) {
        return MoveResult.BUSY;
      }
    }
    tally.add(DemotionCounter.DEMOTION_NO_ROOM, 1);
    return MoveResult.NO_ROOM;
  }

  private MoveResult move(List<Candidate> batch, Lane lane, Consumer<Candidate> moved) {
    MoveGate gate = moves.gate(batch.get(0).id().application(), this::spilling);
    boolean rests = lane.failed && clockNanos.getAsLong() - lane.restsUntilNanos < 0;
    if (rests || gate.yieldsTo(lane.targets.get(0))) {
      return MoveResult.BUSY;
    }
    MoveResult result = run(batch, lane, gate, moved);
    lane.failed = result == MoveResult.FAILED;
    lane.restsUntilNanos = clockNanos.getAsLong() + REST_NANOS;
    return result;
  }

  /** True if the fast dir is so full that new files pass it by. */
  private boolean spilling() {
    try {
      return gauge.read().spilling();
    } catch (IOException e) {
      return false;
    }
  }

  /** Moves outputs; those that make no progress count as given up. */
  private MoveResult run(
      List<Candidate> batch, Lane lane, MoveGate gate, Consumer<Candidate> moved) {
    Candidate first = batch.get(0);
    // One that is left behind goes on by itself.
    List<Candidate> ownBatch = new ArrayList<>(batch);
    Queue<Candidate> reported = new ConcurrentLinkedQueue<>();
    lane.taken.set(true);
    FutureTask<MoveResult> result =
        new FutureTask<>(
            () -> {
              try {
                return moves.run(ownBatch, lane.placer, gate, reported::add);
              } finally {
                lane.taken.set(false);
              }
            });
    try {
      Threads.run("TempTier demotion, a move", result);
    } catch (OutOfMemoryError e) {
      // So the JDK says that there may be no more threads.
      lane.taken.set(false);
      return MoveResult.GIVEN_UP;
    }
    while (true) {
      try {
        MoveResult ended = result.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        reported.forEach(moved);
        batch.retainAll(ownBatch);
        return ended;
      } catch (TimeoutException e) {
        if (gate.stalled(stall.toNanos())) {
          gate.abandon();
          LOG.warn(
              "Moving {} from {} to {} has come no further for {}: one of the two disks hangs."
                  + " Nothing more is moved from the one to the other until it goes on",
              first.id(),
              first.dir(),
              lane.targets,
              stall);
          return MoveResult.GIVEN_UP;
        }
      } catch (InterruptedException e) {
        gate.cancel();
        Thread.currentThread().interrupt();
        // Waits while a disk hangs.
        result.cancel(true);
        return MoveResult.GIVEN_UP;
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
