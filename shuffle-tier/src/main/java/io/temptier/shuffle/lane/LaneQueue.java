// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.lane;

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
  /** Bound on jobs that may overtake one. */
  static final int MOST_PASSED = 64;

  public static final class Job {
    final String user;
    final String file;
    final long offset;
    final Runnable run;

    /**
     * Number of jobs that came before it, and of those that were taken by then; guarded by its
     * queue.
     */
    private long number;

    private long takenBefore;

    /** A read that begins at a byte of a user's file. */
    public Job(String user, String file, long offset, Runnable run) {
      this.user = user;
      this.file = file;
      this.offset = offset;
      this.run = run;
    }

    /** A look-up or an open: short, and not in the elevator's order. */
    public static Job lookUp(String user, Runnable run) {
      return new Job(user, "", 0, run);
    }
  }

  private static final Comparator<Job> BY_POSITION =
      Comparator.comparing((Job job) -> job.file)
          .thenComparingLong(job -> job.offset)
          .thenComparingLong(job -> job.number);

  private final boolean elevator;
  private final ArrayDeque<Job> lookUps = new ArrayDeque<>();
  private final ArrayDeque<Job> arrivals = new ArrayDeque<>();
  private final TreeSet<Job> positions = new TreeSet<>(BY_POSITION);
  private long numbers;
  private long taken;
  private @Nullable Job last;

  /** An empty queue; in an elevator's order where the device has a head to move. */
  public LaneQueue(boolean elevator) {
    this.elevator = elevator;
  }

  synchronized void add(Job job) {
    job.number = numbers++;
    job.takenBefore = taken;
    if (elevator && job.file.isEmpty()) {
      lookUps.add(job);
      return;
    }
    arrivals.add(job);
    if (elevator) {
      positions.add(job);
    }
  }

  /** Takes the next job; null when there is none. */
  synchronized @Nullable Job poll() {
    Job next = elevator ? pick() : arrivals.poll();
    taken += next == null ? 0 : 1;
    return next;
  }

  private @Nullable Job pick() {
    Job oldest = arrivals.peek();
    while (oldest != null && !positions.contains(oldest)) {
      arrivals.poll();
      oldest = arrivals.peek();
    }
    if (oldest == null || taken - oldest.takenBefore <= MOST_PASSED) {
      Job lookUp = lookUps.poll();
      if (lookUp != null) {
        return lookUp;
      }
    }
    if (oldest == null) {
      return null;
    }
    Job next = oldest;
    if (taken - oldest.takenBefore <= MOST_PASSED) {
      Job onward = last == null ? null : positions.higher(last);
      next = onward == null ? positions.first() : onward;
    }
    positions.remove(next);
    last = next;
    return next;
  }

  synchronized int size() {
    return elevator ? lookUps.size() + positions.size() : arrivals.size();
  }
}
