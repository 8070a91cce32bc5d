// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.demotion.move.Candidate;
import io.temptier.shuffle.demotion.move.Mover;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.room.FillGauge;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The moves of a node that are under way: counts what becomes of each, and waits for those of an
 * application that ends. Safe for use by many threads.
 */
final class Moves {
  private static final Logger LOG = LoggerFactory.getLogger(Moves.class);

  private static final long LOOK_MILLIS = 10;

  private final Function<Candidate, Mover> movers;
  private final Set<MapOutputId> inUse;
  private final RunningApplications running;
  private final Predicate<LocalDir> busy;
  private final Pace pace;
  private final DemotionTally tally;
  private final ErrorLog errors;
  private final Consumer<Candidate> moved;
  private final Consumer<String> failed;
  private final Set<MoveGate> current = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * No moves yet.
   *
   * @param movers who moves an output
   * @param inUse the outputs that are moved, or cleaned up after, now
   * @param busy whether shuffle reads want the device of a dir
   * @param moved told of each output that went to a slower tier
   * @param failed told of an application of which something may be left that could not be taken
   *     back
   */
  Moves(
      Function<Candidate, Mover> movers,
      Set<MapOutputId> inUse,
      RunningApplications running,
      Predicate<LocalDir> busy,
      Pace pace,
      DemotionTally tally,
      ErrorLog errors,
      Consumer<Candidate> moved,
      Consumer<String> failed) {
    this.movers = movers;
    this.inUse = inUse;
    this.running = running;
    this.busy = busy;
    this.pace = pace;
    this.tally = tally;
    this.errors = errors;
    this.moved = moved;
    this.failed = failed;
  }

  /** The gate of a move out of the dir that {@code gauge} is of. */
  MoveGate gate(Candidate candidate, FillGauge gauge) {
    return new MoveGate(
        candidate.id().application(), running, busy, () -> spilling(gauge), pace, tally);
  }

  private static boolean spilling(FillGauge gauge) {
    try {
      return gauge.read().spilling();
    } catch (IOException e) {
      return false;
    }
  }

  /** Moves an output to where {@code below} places it. Never throws. */
  MoveResult run(Candidate candidate, Placer below, MoveGate gate) {
    if (!inUse.add(candidate.id())) {
      // It hangs in another move, or is cleaned up after.
      return MoveResult.GIVEN_UP;
    }
    current.add(gate);
    tally.count(DemotionCounter.DEMOTION_RUNNING, true);
    try {
      if (closed) {
        gate.cancel();
      }
      LocalDir target = movers.apply(candidate).move(candidate, below, gate);
      tally.add(DemotionCounter.FILES_DEMOTED, 1);
      tally.add(DemotionCounter.BYTES_DEMOTED, candidate.stamp().bytes());
      errors.worked(candidate.dir());
      LOG.debug("Demoted {} to {}", candidate, target);
      moved.accept(candidate);
      return MoveResult.MOVED;
    } catch (MoveStoppedException e) {
      LOG.debug("Not demoted: {}", candidate, e);
      if (e.result() == MoveResult.GIVEN_UP) {
        tally.add(DemotionCounter.DEMOTIONS_GIVEN_UP, 1);
      }
      return e.result();
    } catch (IOException | RuntimeException e) {
      if (closed) {
        // Interrupted.
        return MoveResult.GIVEN_UP;
      }
      errors.failed(candidate.dir(), e);
      failed.accept(candidate.id().application());
      return MoveResult.FAILED;
    } finally {
      tally.count(DemotionCounter.DEMOTION_RUNNING, false);
      current.remove(gate);
      inUse.remove(candidate.id());
    }
  }

  /**
   * Waits until no chosen move is under way, for so long at most.
   *
   * @return false where one is
   */
  boolean awaitOver(Predicate<MoveGate> chosen, Duration wait) {
    long deadline = System.nanoTime() + wait.toNanos();
    try {
      while (current.stream().anyMatch(chosen)) {
        if (System.nanoTime() - deadline > 0) {
          return false;
        }
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return true;
  }

  /** Stops all, also those that are yet to begin. */
  void close() {
    closed = true;
    current.forEach(MoveGate::cancel);
  }
}
