// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.MoveControl;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.demotion.MoveStoppedException.MoveResult;
import io.temptier.tier.demotion.Pace;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Lets one move go on, has it wait, or stops it: for the rate, for shuffle reads of the slower
 * device, for the end of the application. The mover passes it before each part that it writes.
 */
final class MoveGate implements MoveControl {
  /** A move that waited so long for shuffle reads gives up: its claim is worth more to others. */
  static final long LONGEST_YIELD_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** Longest wait of a part while the fast dir spills already. */
  static final long URGENT_YIELD_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  final String application;
  private final Demoter.Host host;

  /** Whether the fast dir is so full that new files pass it by; asked while waiting. */
  private final BooleanSupplier urgent;

  private final Pace pace;
  private final DemotionTally tally;
  private volatile long lastNanos = System.nanoTime();
  private volatile boolean waiting;
  private volatile boolean cancelled;
  private volatile boolean left;

  MoveGate(
      String application,
      Demoter.Host host,
      BooleanSupplier urgent,
      Pace pace,
      DemotionTally tally) {
    this.application = application;
    this.host = host;
    this.urgent = urgent;
    this.pace = pace;
    this.tally = tally;
  }

  /** True if the move has not come so far as its next step for so long, and waits for no rate. */
  boolean stalled(long nanos) {
    return !waiting && System.nanoTime() - lastNanos > nanos;
  }

  /** Stops the move at its next step, which a disk that hangs may never let it come to. */
  void cancel() {
    cancelled = true;
  }

  @Override
  public void left() {
    left = true;
  }

  /** True if something is to be looked for that the move left. */
  boolean leftAny() {
    return left;
  }

  @Override
  public boolean ended() {
    Optional<Map<String, String>> users = host.running();
    return users.isPresent() && !users.get().containsKey(application);
  }

  @Override
  public boolean yieldsTo(LocalDir target) {
    return host.busy(target) && !urgent.getAsBoolean();
  }

  @Override
  public void check() throws MoveStoppedException {
    lastNanos = System.nanoTime();
    if (cancelled) {
      throw new MoveStoppedException(MoveResult.GIVEN_UP, "demotion is being stopped");
    }
    Optional<Map<String, String>> users = host.running();
    if (!users.isPresent() || !users.get().containsKey(application)) {
      throw new MoveStoppedException(MoveResult.GIVEN_UP, application + " runs no more");
    }
  }

  @Override
  public void pass(LocalDir target, long bytes) throws MoveStoppedException {
    waiting = true;
    pace.await(bytes);
    lastNanos = System.nanoTime();
    waiting = false;
    yieldTo(target);
  }

  @Override
  public void yieldTo(LocalDir target) throws MoveStoppedException {
    if (host.busy(target)) {
      tally.add(DemotionCounter.DEMOTION_PAUSED, 1);
      try {
        awaitIdle(target);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new MoveStoppedException(MoveResult.GIVEN_UP, "demotion is being stopped");
      } finally {
        tally.add(DemotionCounter.DEMOTION_PAUSED, -1);
      }
    }
    check();
  }

  private void awaitIdle(LocalDir target) throws MoveStoppedException, InterruptedException {
    long since = System.nanoTime();
    while (host.busy(target)) {
      check();
      long waited = System.nanoTime() - since;
      if (waited >= URGENT_YIELD_NANOS && urgent.getAsBoolean()) {
        return;
      }
      if (waited >= LONGEST_YIELD_NANOS) {
        tally.add(DemotionCounter.DEMOTIONS_GIVEN_UP, 1);
        throw new MoveStoppedException(MoveResult.BUSY, target + " is busy with shuffle reads");
      }
      TimeUnit.NANOSECONDS.sleep(LOOK_AGAIN_NANOS);
    }
  }
}
