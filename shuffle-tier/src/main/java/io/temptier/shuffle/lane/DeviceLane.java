// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.lane;

import com.google.auto.value.AutoValue;
import io.temptier.tier.Medium;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to one physical device: a bounded number of threads that do whatever may have to wait for
 * it, so that nobody else waits. All local dirs on a device share its lane.
 *
 * <p>A job that does not come back costs a thread, for a thread cannot be ended. Whether the device
 * hangs or only one user's file (a pipe in the place of an output) does not show. So the lane gets
 * another thread for each that is out for long, up to {@value #MOST_STUCK}, and a user who has
 * {@value #MOST_STUCK_OF_USER} out waits until one comes back: nothing of his is refused that a
 * disk which comes back would answer.
 */
public final class DeviceLane implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceLane.class);
  private static final long IDLE_SECONDS = 30;

  /** A job that takes longer may not come back; a disk answers sooner. */
  static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final int MOST_STUCK = 32;
  private static final int MOST_STUCK_OF_USER = 4;

  /** Requests of clients that went away since wait, too. */
  private static final int MOST_WAITING_OF_USER = 100_000;

  @AutoValue
  abstract static class Running {
    abstract String user();

    abstract long sinceNanos();

    static Running of(String user, long sinceNanos) {
      return new AutoValue_DeviceLane_Running(user, sinceNanos);
    }
  }

  private final String name;
  private final Medium medium;
  private final LaneQueue queue;
  private final ThreadPoolExecutor threads;
  private final int depth;
  private final Map<Thread, Running> running = new ConcurrentHashMap<>();
  private final Map<String, ArrayDeque<LaneQueue.Job>> parked = new HashMap<>();

  /** Jobs of each user that are not begun. */
  private final Map<String, Integer> waiting = new ConcurrentHashMap<>();

  private volatile long endedNanos = System.nanoTime();
  private volatile boolean hangs;

  /**
   * A lane.
   *
   * @param name of the device, for people
   * @param medium what it is
   * @param depth jobs at a time
   */
  public DeviceLane(String name, Medium medium, int depth) {
    this(name, medium, depth, named(name));
  }

  public DeviceLane(String name, Medium medium, int depth, ThreadFactory factory) {
    this.name = name;
    this.medium = medium;
    this.depth = depth;
    this.queue = new LaneQueue(medium == Medium.DISK);
    // Each job in the pool's own queue stands for one in ours, which one is decided when it runs.
    this.threads =
        new ThreadPoolExecutor(
            depth, depth, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
    threads.allowCoreThreadTimeOut(true);
  }

  private static ThreadFactory named(String name) {
    AtomicInteger number = new AtomicInteger();
    return work -> {
      Thread thread =
          new Thread(work, "TempTier shuffle lane " + name + " #" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** What the device is. */
  public Medium medium() {
    return medium;
  }

  /**
   * Whether a read may take a seek or a network: then segments are read in large pieces into
   * memory, not sent from the page cache.
   */
  public boolean slow() {
    return medium == Medium.DISK || medium == Medium.REMOTE;
  }

  /** Jobs that wait for a thread. */
  public int waiting() {
    return waiting.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** The device, for people. */
  public String name() {
    return name;
  }

  /** Jobs it does at a time. */
  public int depth() {
    return depth;
  }

  /** Jobs under way. */
  public int running() {
    return running.size();
  }

  /** Whether anything waits or runs that may come back soon. */
  public boolean busy() {
    return queue.size() > 0 || running.size() > stuck(any -> true);
  }

  /** Whether some job is out for long and none came back meanwhile, as last looked at. */
  boolean hangs() {
    return hangs;
  }

  private int stuck(Predicate<String> user) {
    long now = System.nanoTime();
    return (int)
        running.values().stream()
            .filter(job -> now - job.sinceNanos() >= STUCK_NANOS && user.test(job.user()))
            .count();
  }

  /**
   * Has as many threads again as are out for long, and one for jobs that have none. Called every
   * second or so; throws OutOfMemoryError where no more threads may be had.
   */
  void relieve() {
    int stuck = stuck(any -> true);
    hangs = stuck > 0 && System.nanoTime() - endedNanos >= STUCK_NANOS;
    int wanted = depth + Math.min(stuck, MOST_STUCK);
    int now = threads.getCorePoolSize();
    if (wanted > now) {
      threads.setMaximumPoolSize(wanted);
      threads.setCorePoolSize(wanted);
    } else if (wanted < now) {
      threads.setCorePoolSize(wanted);
      threads.setMaximumPoolSize(wanted);
    }
    if (!threads.getQueue().isEmpty()) {
      threads.prestartCoreThread();
    }
  }

  /**
   * Has a job done, never on the caller's thread.
   *
   * @throws RejectedExecutionException when the lane is closed, or too many of the user's jobs wait
   */
  public void submit(LaneQueue.Job job) {
    int mine = waiting.merge(job.user(), 1, Integer::sum);
    if (mine > MOST_WAITING_OF_USER) {
      begun(job.user());
      throw new RejectedExecutionException(
          mine + " reads of " + job.user() + " wait for " + name + " already");
    }
    queue.add(job);
    try {
      wake();
    } catch (RejectedExecutionException e) {
      throw new RejectedExecutionException("The shuffle handler is stopping", e);
    }
  }

  /** Has a thread do one more job. */
  private void wake() {
    try {
      threads.execute(this::next);
    } catch (OutOfMemoryError e) {
      // No more threads may be had: one that is there takes it, or one that relieve() makes.
      LOG.debug("No thread for {}", name, e);
      threads.getQueue().add(this::next);
    }
  }

  private void begun(String user) {
    waiting.computeIfPresent(user, (any, jobs) -> jobs == 1 ? null : jobs - 1);
  }

  private void next() {
    LaneQueue.Job job = queue.poll();
    if (job == null || park(job)) {
      return;
    }
    Running mine = Running.of(job.user(), System.nanoTime());
    running.put(Thread.currentThread(), mine);
    begun(job.user());
    try {
      job.run().run();
    } catch (RuntimeException | Error e) {
      LOG.error("A shuffle read on {} failed unexpectedly; please report this", name, e);
    } finally {
      endedNanos = System.nanoTime();
      synchronized (parked) {
        running.remove(Thread.currentThread());
      }
      unpark(job.user());
    }
  }

  /** Puts a job aside whose user has too many out already. */
  private boolean park(LaneQueue.Job job) {
    if (running.size() < MOST_STUCK_OF_USER) {
      return false;
    }
    synchronized (parked) {
      if (stuck(job.user()::equals) < MOST_STUCK_OF_USER) {
        return false;
      }
      parked.computeIfAbsent(job.user(), any -> new ArrayDeque<>()).add(job);
      return true;
    }
  }

  private void unpark(String user) {
    ArrayDeque<LaneQueue.Job> jobs;
    synchronized (parked) {
      jobs = parked.remove(user);
    }
    if (jobs != null) {
      for (LaneQueue.Job job : jobs) {
        queue.add(job);
        try {
          wake();
        } catch (RejectedExecutionException e) {
          // Closed: what waits is still done, here.
          next();
        }
      }
    }
  }

  /** Takes no more jobs; those that wait are still done, those that hang are left behind. */
  @Override
  public void close() {
    threads.shutdown();
  }

  @Override
  public final String toString() {
    return medium + " " + name;
  }
}
