// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.lane;

import com.google.auto.value.AutoValue;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that wait for one device, in the order to do them.
 *
 * <p>On a rotating disk a seek costs as much as reading a quarter of a megabyte, so jobs are taken
 * as an elevator does: onward from the last position, by file and offset, then from the start again
 * (C-LOOK). A job that was passed over {@value #MOST_PASSED} times goes first, so that no file
 * waits for ever behind a popular one. Look-ups go before data: they are short, and a response
 * cannot begin without them. Other media have no head to move: first come, first served.
 *
 * <p>Safe for use by many threads; never blocks.
 */
public final class LaneQueue {
  /** How many jobs may overtake one. */
  static final int MOST_PASSED = 64;

  /** Work for a device. */
  @AutoValue
  public abstract static class Job {
    /** Whose file it is. */
    abstract String user();

    /** The file it reads; empty for a look-up. */
    abstract String file();

    /** Where in the file it begins, in bytes. */
    abstract long offset();

    /** The work, which must not throw. */
    abstract Runnable run();

    public static Job of(String user, String file, long offset, Runnable run) {
      return new AutoValue_LaneQueue_Job(user, file, offset, run);
    }

    /** A look-up or an open: short, and not in the elevator's order. */
    public static Job lookUp(String user, Runnable run) {
      return Job.of(user, "", 0, run);
    }

    private boolean isLookUp() {
      return file().isEmpty();
    }
  }

  @AutoValue
  abstract static class Waiting {
    abstract Job job();

    abstract long number();

    abstract long takenBefore();

    static Waiting of(Job job, long number, long takenBefore) {
      return new AutoValue_LaneQueue_Waiting(job, number, takenBefore);
    }
  }

  private static final Comparator<Waiting> BY_POSITION =
      Comparator.comparing((Waiting waiting) -> waiting.job().file())
          .thenComparingLong(waiting -> waiting.job().offset())
          .thenComparingLong(Waiting::number);

  private final boolean elevator;
  private final ArrayDeque<Waiting> lookUps = new ArrayDeque<>();
  private final ArrayDeque<Waiting> arrivals = new ArrayDeque<>();
  private final TreeSet<Waiting> positions = new TreeSet<>(BY_POSITION);
  private long numbers;
  private long taken;
  private @Nullable Waiting last;

  /**
   * An empty queue.
   *
   * @param elevator whether the device has a head to move
   */
  public LaneQueue(boolean elevator) {
    this.elevator = elevator;
  }

  /** Adds a job. */
  synchronized void add(Job job) {
    Waiting waiting = Waiting.of(job, numbers++, taken);
    if (!elevator) {
      arrivals.add(waiting);
    } else if (job.isLookUp()) {
      lookUps.add(waiting);
    } else {
      arrivals.add(waiting);
      positions.add(waiting);
    }
  }

  /** Takes the next job; null when there is none. */
  synchronized @Nullable Job poll() {
    Waiting next = elevator ? pick() : arrivals.poll();
    if (next == null) {
      return null;
    }
    taken++;
    return next.job();
  }

  private @Nullable Waiting pick() {
    Waiting oldest = arrivals.peek();
    while (oldest != null && !positions.contains(oldest)) {
      arrivals.poll();
      oldest = arrivals.peek();
    }
    if (oldest == null || taken - oldest.takenBefore() <= MOST_PASSED) {
      Waiting lookUp = lookUps.poll();
      if (lookUp != null) {
        return lookUp;
      }
    }
    if (oldest == null) {
      return null;
    }
    Waiting next = oldest;
    if (taken - oldest.takenBefore() <= MOST_PASSED) {
      Waiting onward = last == null ? null : positions.higher(last);
      next = onward == null ? positions.first() : onward;
    }
    positions.remove(next);
    last = next;
    return next;
  }

  /** Jobs that wait. */
  synchronized int size() {
    return elevator ? lookUps.size() + positions.size() : arrivals.size();
  }
}
