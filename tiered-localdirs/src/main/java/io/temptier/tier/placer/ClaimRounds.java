// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import io.temptier.tier.os.Later;
import io.temptier.tier.os.Threads;
import io.temptier.tier.room.DirGauge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after claims in each dir: it follows the files being written once a second, and shows other
 * processes what was given up a moment later, so that nobody who settles or reads a file waits for
 * a disk. A dir is looked after from the first call on until there was nothing to do for some
 * seconds; then its ledgers are deleted.
 */
final class ClaimRounds {
  private static final Logger LOG = LoggerFactory.getLogger(ClaimRounds.class);
  private static final String NAME = "temptier-claims";
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final int IDLE_TICKS_BEFORE_END = 10;

  /** Delay before other processes see what was given up; the next claim may use it until then. */
  private static final Duration TAKE_OVER = Duration.ofMillis(10);

  /** Time that {@link #close} waits for dirs that do not answer. */
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(2);

  private final ClaimKeeper keeper;

  /** Dirs looked after, with the ticks since there was something to do. */
  private final Map<DirGauge, Integer> idleTicks = new ConcurrentHashMap<>();

  private final Set<DirGauge> givenUp = ConcurrentHashMap.newKeySet();

  private final Set<DirGauge> busy = ConcurrentHashMap.newKeySet();

  private final AtomicBoolean ticking = new AtomicBoolean();
  private final AtomicBoolean writing = new AtomicBoolean();
  private volatile boolean complained;
  private volatile boolean closed;

  ClaimRounds(ClaimKeeper keeper) {
    this.keeper = keeper;
  }

  void lookAfter(DirGauge gauge) {
    idleTicks.put(gauge, 0);
    after(TICK, ticking, this::startRound);
  }

  /** Shows other processes, in a moment, what was given up in a dir. */
  void writeSoon(DirGauge gauge) {
    givenUp.add(gauge);
    after(TAKE_OVER, writing, () -> borrow(this::write));
  }

  private static void after(Duration pause, AtomicBoolean due, Runnable work) {
    if (due.compareAndSet(false, true)) {
      Runnable begin =
          () -> {
            due.set(false);
            work.run();
          };
      Future<?> unused = Later.after(pause, begin);
    } else {
      Later.resume();
    }
  }

  /** A job must not fail where no thread can be had for this. */
  private void borrow(Runnable work) {
    try {
      Threads.run(NAME, work);
    } catch (OutOfMemoryError e) {
      complain(e);
    }
  }

  private void startRound() {
    if (!idleTicks.isEmpty()) {
      after(TICK, ticking, this::startRound);
      borrow(() -> idleTicks.keySet().forEach(gauge -> in(gauge, this::lookAt)));
    }
  }

  private void lookAt(DirGauge gauge) {
    keeper.tick(gauge);
    if (keeper.follows(gauge)) {
      idleTicks.replace(gauge, 0);
    } else if (idleTicks.merge(gauge, 1, Integer::sum) >= IDLE_TICKS_BEFORE_END) {
      gauge.claims().drop();
      idleTicks.remove(gauge);
      if (keeper.follows(gauge)) {
        lookAfter(gauge);
      }
    }
  }

  private void write() {
    List<DirGauge> now = new ArrayList<>(givenUp);
    givenUp.removeAll(now);
    // The next round writes a busy one's.
    now.forEach(gauge -> in(gauge, this::showOrDrop));
  }

  private void showOrDrop(DirGauge gauge) {
    if (closed) {
      // A file was placed after the end: its ledger goes.
      gauge.claims().drop();
    } else {
      gauge.claims().write();
    }
  }

  /** An error that nobody catches would end the NodeManager. */
  private void in(DirGauge gauge, Consumer<DirGauge> work) {
    if (busy.add(gauge)) {
      try {
        work.accept(gauge);
      } catch (RuntimeException | Error e) {
        complain(e);
      } finally {
        busy.remove(gauge);
      }
    }
  }

  private void complain(Throwable e) {
    if (!complained) {
      complained = true;
      LOG.warn("Cannot look after claims; tried again each second", e);
    }
  }

  /** Ends, and deletes the ledgers in dirs that answer, those of {@code gauges} among them. */
  void close(List<DirGauge> gauges) {
    closed = true;
    idleTicks.clear();
    List<DirGauge> used = new ArrayList<>(gauges);
    used.removeIf(gauge -> gauge.claims().unused());
    if (!used.isEmpty()) {
      Threads.endWithin(
          CLOSE_WAIT, NAME, () -> Threads.together(used.stream().map(gauge -> () -> drop(gauge))));
    }
  }

  private void drop(DirGauge gauge) {
    try {
      gauge.claims().drop();
    } catch (RuntimeException | Error e) {
      complain(e);
    }
  }
}
