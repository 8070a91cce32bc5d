// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.lane;

import io.temptier.tier.Medium;
import io.temptier.tier.os.Threads;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
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

  /** A job that takes longer may not come back; a disk answers sooner. */
  static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final int MOST_STUCK = 32;
  private static final int MOST_STUCK_OF_USER = 4;

  /** Requests of clients that went away since wait, too. */
  private static final int MOST_WAITING_OF_USER = 100_000;

  private static final class Job {
    private final String user;
    private final boolean looksUp;
    private final Runnable run;

    Job(String user, boolean looksUp, Runnable run) {
      this.user = user;
      this.looksUp = looksUp;
      this.run = run;
    }
  }

  private final String name;
  private final Medium medium;
  private final MediumStats stats;

  /** Jobs to be taken in turn, so that look-ups do not wait for all reads; guarded by this. */
  private final ArrayDeque<Job> lookUps = new ArrayDeque<>();

  private final ArrayDeque<Job> reads = new ArrayDeque<>();
  private boolean lookedUp;

  private final Executor threads;
  private final int depth;

  /** Jobs under way, since when. */
  private final Map<Job, Long> sinceNanos = new ConcurrentHashMap<>();

  private final Map<String, ArrayDeque<Job>> parked = new HashMap<>();

  /** Jobs of each user that are not begun. */
  private final Map<String, Integer> waiting = new ConcurrentHashMap<>();

  private volatile long endedNanos = System.nanoTime();
  private volatile boolean hangs;
  private volatile boolean closed;

  /** Threads there are, and may be; guarded by this. */
  private int workers;

  private int mostWorkers;

  /** The lane of a device of a medium, for {@code depth} jobs at a time. */
  public DeviceLane(String name, Medium medium, MediumStats stats, int depth) {
    this(name, medium, stats, depth, work -> Threads.run("TempTier shuffle lane " + name, work));
  }

  DeviceLane(String name, Medium medium, MediumStats stats, int depth, Executor threads) {
    this.name = name;
    this.medium = medium;
    this.stats = stats;
    this.depth = depth;
    this.mostWorkers = depth;
    this.threads = threads;
  }

  public Medium medium() {
    return medium;
  }

  public MediumStats stats() {
    return stats;
  }

  /**
   * True if a read may take a seek or a network: then segments are read in large pieces into
   * memory, not sent from the page cache.
   */
  public boolean slow() {
    return medium.slow();
  }

  public int waiting() {
    return waiting.values().stream().mapToInt(Integer::intValue).sum();
  }

  public String name() {
    return name;
  }

  public int depth() {
    return depth;
  }

  public int running() {
    return sinceNanos.size();
  }

  /** True if anything waits or runs that may come back soon. */
  public boolean busy() {
    return queued() > 0 || sinceNanos.size() > stuck(worker -> true);
  }

  /** True if some job is out for long and none came back meanwhile, as last looked at. */
  boolean hangs() {
    return hangs;
  }

  private int stuck(Predicate<String> user) {
    long now = System.nanoTime();
    return (int)
        sinceNanos.entrySet().stream()
            .filter(job -> now - job.getValue() >= STUCK_NANOS && user.test(job.getKey().user))
            .count();
  }

  /**
   * Allows as many more threads as are out for long, and starts some for jobs that have none.
   * Called every second or so; throws OutOfMemoryError where no more threads may be had.
   */
  void relieve() {
    int stuck = stuck(worker -> true);
    hangs = stuck > 0 && System.nanoTime() - endedNanos >= STUCK_NANOS;
    synchronized (this) {
      mostWorkers = depth + Math.min(stuck, MOST_STUCK);
    }
    for (int jobs = queued(); jobs > 0 && employ(); jobs--) {
      // One more.
    }
  }

  /** Queues a read of a user's file, as {@link #lookUp}. */
  public void read(String user, Runnable run) {
    submit(new Job(user, false, run));
  }

  /**
   * Queues a look-up or an open: short, and an answer cannot begin without it. Never runs on the
   * caller's thread.
   *
   * @throws RejectedExecutionException when the lane is closed, or too many of the user's jobs wait
   */
  public void lookUp(String user, Runnable run) {
    submit(new Job(user, true, run));
  }

  private void submit(Job job) {
    if (closed) {
      throw new RejectedExecutionException("The shuffle handler is stopping");
    }
    int userJobs = waiting.merge(job.user, 1, Integer::sum);
    if (userJobs > MOST_WAITING_OF_USER) {
      begun(job.user);
      throw new RejectedExecutionException(
          userJobs + " reads of " + job.user + " wait for " + name + " already");
    }
    add(job);
  }

  private void add(Job job) {
    synchronized (this) {
      (job.looksUp ? lookUps : reads).add(job);
    }
    try {
      boolean unused = employ();
    } catch (OutOfMemoryError e) {
      // No more threads may be had: one that is there takes it, or one that relieve() makes.
      LOG.debug("No thread for {}", name, e);
    }
  }

  /** Starts another thread for what waits; false where there are as many as there may be. */
  private boolean employ() {
    synchronized (this) {
      if (workers >= mostWorkers) {
        return false;
      }
      workers++;
    }
    try {
      threads.execute(this::work);
      return true;
    } catch (RuntimeException | Error e) {
      synchronized (this) {
        workers--;
      }
      throw e;
    }
  }

  private void work() {
    for (Job job = next(); job != null; job = next()) {
      if (!park(job)) {
        run(job);
      }
    }
  }

  /** Takes the thread's next job; null when the thread is to end. */
  private synchronized @Nullable Job next() {
    lookedUp = !lookUps.isEmpty() && !(lookedUp && !reads.isEmpty());
    Job job = workers > mostWorkers ? null : (lookedUp ? lookUps : reads).poll();
    workers -= job == null ? 1 : 0;
    return job;
  }

  private synchronized int queued() {
    return lookUps.size() + reads.size();
  }

  private void begun(String user) {
    waiting.computeIfPresent(user, (name, jobs) -> jobs == 1 ? null : jobs - 1);
  }

  private void run(Job job) {
    sinceNanos.put(job, System.nanoTime());
    begun(job.user);
    try {
      job.run.run();
    } catch (RuntimeException | Error e) {
      LOG.error("A shuffle read on {} failed unexpectedly; please report this", name, e);
    } finally {
      endedNanos = System.nanoTime();
      unpark(job);
    }
  }

  /** Puts a job aside whose user has too many out already. */
  private boolean park(Job job) {
    if (sinceNanos.size() < MOST_STUCK_OF_USER) {
      return false;
    }
    synchronized (parked) {
      if (stuck(job.user::equals) < MOST_STUCK_OF_USER) {
        return false;
      }
      parked.computeIfAbsent(job.user, name -> new ArrayDeque<>()).add(job);
      return true;
    }
  }

  /** A job came back: those of its user that were put aside have another chance. */
  private void unpark(Job ended) {
    ArrayDeque<Job> jobs;
    synchronized (parked) {
      sinceNanos.remove(ended);
      jobs = parked.remove(ended.user);
    }
    if (jobs != null) {
      jobs.forEach(this::add);
    }
  }

  /** Takes no more jobs; those that wait are still done, those that hang are left behind. */
  @Override
  public void close() {
    closed = true;
  }

  @Override
  public final String toString() {
    return medium + " " + name;
  }
}
