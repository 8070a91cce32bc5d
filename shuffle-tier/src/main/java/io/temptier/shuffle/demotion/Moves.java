// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.room.FillGauge;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The moves of a node that are under way: counts what becomes of each, and stops those of an
 * application that ends. Safe for use by many threads.
 */
final class Moves {
  private static final Logger LOG = LoggerFactory.getLogger(Moves.class);

  private final Mover mover;
  private final OutputUse use;
  private final LiveApplications running;
  private final DeviceLoad load;
  private final Pace pace;
  private final DemotionTally tally;
  private final ErrorLog errors;
  private final ObjLongConsumer<String> demoted;
  private final MoveListener listener;
  private final Consumer<MapOutputId> failed;
  private final Set<MoveGate> current = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * No moves yet.
   *
   * @param use what else is done with outputs
   * @param demoted told the application and bytes of each output that went to a slower tier
   * @param listener told when an output was moved
   * @param failed told of an output of which something may be left that could not be taken back
   */
  Moves(
      Mover mover,
      OutputUse use,
      LiveApplications running,
      DeviceLoad load,
      Pace pace,
      DemotionTally tally,
      ErrorLog errors,
      ObjLongConsumer<String> demoted,
      MoveListener listener,
      Consumer<MapOutputId> failed) {
    this.mover = mover;
    this.use = use;
    this.running = running;
    this.load = load;
    this.pace = pace;
    this.tally = tally;
    this.errors = errors;
    this.demoted = demoted;
    this.listener = listener;
    this.failed = failed;
  }

  /** The gate of a move out of the dir that {@code gauge} is of. */
  MoveGate gate(Candidate candidate, FillGauge gauge) {
    return new MoveGate(
        candidate.id().application(), running, load, () -> spilling(gauge), pace, tally);
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
    if (!use.beginMove(candidate.id())) {
      // It hangs in another move, or is cleaned, which takes a moment.
      return use.moved(candidate.id()) ? MoveResult.GIVEN_UP : MoveResult.BUSY;
    }
    current.add(gate);
    tally.count(DemotionCounter.DEMOTION_RUNNING, true);
    try {
      if (closed) {
        gate.cancel();
      }
      LocalDir target = mover.move(candidate, below, gate);
      tally.add(DemotionCounter.FILES_DEMOTED, 1);
      tally.add(DemotionCounter.BYTES_DEMOTED, candidate.stamp().bytes());
      demoted.accept(candidate.id().application(), candidate.stamp().bytes());
      errors.worked(candidate.dir());
      LOG.debug("Demoted {} to {}", candidate, target);
      listener.moved(candidate.id());
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
      failed.accept(candidate.id());
      return MoveResult.FAILED;
    } finally {
      tally.count(DemotionCounter.DEMOTION_RUNNING, false);
      current.remove(gate);
      use.endMove(candidate.id());
      gate.over();
    }
  }

  /**
   * Stops the moves of an application, and waits until they are taken back, for so long at most.
   */
  void applicationEnded(String application, Duration wait) {
    List<MoveGate> ending =
        current.stream()
            .filter(gate -> gate.application().equals(application))
            .collect(Immutable.toList());
    ending.forEach(MoveGate::applicationEnded);
    try {
      if (!awaitOver(ending, wait)) {
        LOG.info("A move of {} goes on to be taken back: a disk is slow", application);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean awaitOver(Collection<MoveGate> gates, Duration wait)
      throws InterruptedException {
    long deadline = System.nanoTime() + wait.toNanos();
    boolean over = true;
    for (MoveGate gate : gates) {
      over &= gate.awaitOver(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    }
    return over;
  }

  /** Waits until no move is under way that makes progress, for so long at most. */
  void awaitOver(Duration wait) throws InterruptedException {
    awaitOver(current, wait);
  }

  /** Stops all, also those that are yet to begin. */
  void close() {
    closed = true;
    current.forEach(MoveGate::cancel);
  }
}
