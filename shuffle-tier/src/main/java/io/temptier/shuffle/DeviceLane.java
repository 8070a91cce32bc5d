/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.shuffle;

import io.temptier.tier.Medium;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to one physical device: a bounded number of threads that do whatever may have to wait for
 * it, so that nobody else waits. All local dirs on a device share its lane.
 */
final class DeviceLane implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceLane.class);
  private static final long IDLE_SECONDS = 30;

  private final String name;
  private final Medium medium;
  private final LaneQueue queue;
  private final ThreadPoolExecutor threads;
  private final AtomicInteger running = new AtomicInteger();

  /**
   * A lane.
   *
   * @param name of the device, for people
   * @param medium what it is
   * @param depth jobs at a time
   */
  DeviceLane(String name, Medium medium, int depth) {
    this.name = name;
    this.medium = medium;
    this.queue = new LaneQueue(medium == Medium.DISK);
    // Each job in the pool's own queue stands for one in ours, which one is decided when it runs.
    this.threads =
        new ThreadPoolExecutor(
            depth, depth, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named(name));
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
  Medium medium() {
    return medium;
  }

  /**
   * Whether a read may take a seek or a network: then segments are read in large pieces into
   * memory, not sent from the page cache.
   */
  boolean slow() {
    return medium == Medium.DISK || medium == Medium.REMOTE;
  }

  /** Jobs that wait for a thread. */
  int waiting() {
    return queue.size();
  }

  /** The device, for people. */
  String name() {
    return name;
  }

  /** Jobs it does at a time. */
  int depth() {
    return threads.getMaximumPoolSize();
  }

  /** Jobs under way. */
  int running() {
    return running.get();
  }

  /** Whether anything waits or runs. */
  boolean busy() {
    return running.get() > 0 || queue.size() > 0;
  }

  /**
   * Has a job done, never on the caller's thread.
   *
   * @throws RejectedExecutionException when the lane is closed
   */
  void submit(LaneQueue.Job job) {
    queue.add(job);
    threads.execute(this::next);
  }

  private void next() {
    LaneQueue.Job job = queue.poll();
    if (job == null) {
      return;
    }
    running.incrementAndGet();
    try {
      job.run().run();
    } catch (RuntimeException | Error e) {
      LOG.error("A shuffle read on {} failed unexpectedly; please report this", name, e);
    } finally {
      running.decrementAndGet();
    }
  }

  /** Takes no more jobs; those that wait are still done, those that hang are left behind. */
  @Override
  public void close() {
    threads.shutdown();
  }

  @Override
  public String toString() {
    return medium + " " + name;
  }
}
