// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.MoveControl;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.demotion.Pace;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Lets one move go on, has it wait, or stops it: for the rate, for shuffle reads of the slower
 * device, for the end of the application. The mover passes it before each part that it writes.
 */
final class MoveGate implements MoveControl {
  /** A move that waited so long for shuffle reads gives up: its claim is worth more to others. */
  static final long LONGEST_YIELD_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** While the fast dir spills already, no part waits longer than this. */
  static final long URGENT_YIELD_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private enum Order {
    GO,
    CANCELLED,
    APPLICATION_ENDED
  }

  private final String application;
  private final RunningApplications running;
  private final DeviceLoad load;
  private final BooleanSupplier urgent;
  private final Pace pace;
  private final DemotionTally tally;
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile Order order = Order.GO;
  private volatile long lastNanos;
  private volatile boolean waiting;
  private volatile boolean abandoned;

  /**
   * A gate for one move.
   *
   * @param application whose output is moved
   * @param urgent whether the fast dir is so full that new files pass it by; asked while waiting
   * @param pace the rate of all moves
   */
  MoveGate(
      String application,
      RunningApplications running,
      DeviceLoad load,
      BooleanSupplier urgent,
      Pace pace,
      DemotionTally tally) {
    this.application = application;
    this.running = running;
    this.load = load;
    this.urgent = urgent;
    this.pace = pace;
    this.tally = tally;
    this.lastNanos = pace.nanos();
  }

  String application() {
    return application;
  }

  /** Whether the move has not come so far as its next step for so long, and waits for no rate. */
  boolean stalled(long nanos) {
    return !waiting && pace.nanos() - lastNanos > nanos;
  }

  /** Stops the move at its next step, which a disk that hangs may never let it come to. */
  void abandon() {
    abandoned = true;
    cancel();
  }

  /** Stops the move at its next step. */
  void cancel() {
    if (order == Order.GO) {
      order = Order.CANCELLED;
    }
  }

  /** Stops the move at its next step, since its application is over. */
  void applicationEnded() {
    order = Order.APPLICATION_ENDED;
  }

  /** Says that the move is over and its traces are gone, where there should be none. */
  void over() {
    over.countDown();
  }

  /** Waits for {@link #over}; false when it takes longer, or its end is not waited for any more. */
  boolean awaitOver(long timeout, TimeUnit unit) throws InterruptedException {
    return over.await(abandoned ? 0 : timeout, unit);
  }

  @Override
  public boolean ended() {
    if (order == Order.APPLICATION_ENDED) {
      return true;
    }
    Optional<Map<String, String>> users = running.users();
    return users.isPresent() && !users.get().containsKey(application);
  }

  /** Whether shuffle reads want the device of {@code target} and may have it for themselves. */
  boolean yieldsTo(LocalDir target) {
    return load.busy(target) && !urgent.getAsBoolean();
  }

  @Override
  public void check() throws MoveStoppedException {
    lastNanos = pace.nanos();
    if (order == Order.CANCELLED) {
      throw new MoveStoppedException(MoveResult.GIVEN_UP, "demotion is being stopped");
    }
    Optional<Map<String, String>> users = running.users();
    if (order == Order.APPLICATION_ENDED
        || !users.isPresent()
        || !users.get().containsKey(application)) {
      throw new MoveStoppedException(MoveResult.GIVEN_UP, application + " runs no more");
    }
  }

  @Override
  public void pass(LocalDir target, long bytes) throws MoveStoppedException {
    try {
      waiting = true;
      pace.await(bytes);
      lastNanos = pace.nanos();
      waiting = false;
      if (load.busy(target)) {
        tally.count(DemotionCounter.DEMOTION_PAUSED, true);
        try {
          yieldTo(target);
        } finally {
          tally.count(DemotionCounter.DEMOTION_PAUSED, false);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MoveStoppedException(MoveResult.GIVEN_UP, "demotion is being stopped");
    }
    check();
  }

  private void yieldTo(LocalDir target) throws MoveStoppedException, InterruptedException {
    long since = pace.nanos();
    while (load.busy(target)) {
      check();
      long waited = pace.nanos() - since;
      if (waited >= URGENT_YIELD_NANOS && urgent.getAsBoolean()) {
        return;
      }
      if (waited >= LONGEST_YIELD_NANOS) {
        tally.add(DemotionCounter.DEMOTIONS_GIVEN_UP, 1);
        throw new MoveStoppedException(MoveResult.BUSY, target + " is busy with shuffle reads");
      }
      pace.sleep(LOOK_AGAIN_NANOS);
    }
  }
}
