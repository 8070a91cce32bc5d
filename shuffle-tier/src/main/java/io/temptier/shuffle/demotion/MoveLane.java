// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.demotion.move.Candidate;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.os.thread.Threads;
import io.temptier.tier.placer.Placer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves from one dir down to one file system, one at a time, each on a spare thread. When that
 * thread hangs in a disk, the caller stops waiting for it and no other move begins here until it
 * comes back. For one thread.
 */
final class MoveLane {
  private static final Logger LOG = LoggerFactory.getLogger(MoveLane.class);
  private static final long LOOK_MILLIS = 200;
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final List<LocalDir> targets;
  private final Placer placer;
  private final Moves moves;
  private final Duration stall;
  private final LongSupplier clockNanos;
  private final AtomicBoolean taken = new AtomicBoolean();
  private boolean failed;
  private long restsUntilNanos;

  /**
   * A way.
   *
   * @param targets dirs of one file system
   * @param placer of these alone
   * @param stall how long a move may take to its next step before it is left behind
   * @param clockNanos tells the time
   */
  MoveLane(
      List<LocalDir> targets, Placer placer, Moves moves, Duration stall, LongSupplier clockNanos) {
    this.targets = targets;
    this.placer = placer;
    this.moves = moves;
    this.stall = stall;
    this.clockNanos = clockNanos;
  }

  LocalDir target() {
    return targets.get(0);
  }

  /** Whether no move hangs in it. */
  boolean open() {
    return !taken.get();
  }

  /** Whether its last move failed, and it is left alone for a while. */
  boolean resting() {
    return failed && clockNanos.getAsLong() - restsUntilNanos < 0;
  }

  /** Moves an output; one that makes no progress counts as given up. */
  MoveResult move(Candidate candidate, MoveGate gate) {
    MoveResult result = run(candidate, gate);
    failed = result == MoveResult.FAILED;
    restsUntilNanos = clockNanos.getAsLong() + REST_NANOS;
    return result;
  }

  private MoveResult run(Candidate candidate, MoveGate gate) {
    taken.set(true);
    FutureTask<MoveResult> result =
        new FutureTask<>(
            () -> {
              try {
                return moves.run(candidate, placer, gate);
              } finally {
                taken.set(false);
              }
            });
    try {
      Threads.run("TempTier demotion, a move", result);
    } catch (OutOfMemoryError e) {
      // So the JDK says that there may be no more threads.
      taken.set(false);
      return MoveResult.GIVEN_UP;
    }
    while (true) {
      try {
        return result.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        if (gate.stalled(stall.toNanos())) {
          gate.abandon();
          LOG.warn(
              "Moving {} from {} to {} has come no further for {}: one of the two disks hangs."
                  + " Nothing more is moved from the one to the other until it goes on",
              candidate.id(),
              candidate.dir(),
              targets,
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
