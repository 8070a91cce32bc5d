// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.temptier.shuffle.output.MapOutputId;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Steps of a look-up, each on a lane, which may start further ones; when all are done it goes on.
 * Safe for use by many threads.
 */
final class LaneRound {
  /** What is done on a lane. */
  @FunctionalInterface
  interface Step {
    /**
     * Does it.
     *
     * @throws IOException when the look-up has failed
     */
    void run() throws IOException;
  }

  private final MapOutputId id;
  private final Runnable next;
  private final Consumer<IOException> failed;

  /** One until {@link #end}, so that it does not go on before all first steps are started. */
  private final AtomicInteger open = new AtomicInteger(1);

  /**
   * A round without steps.
   *
   * @param id for which output
   * @param next runs when every step is done, on the thread of the last
   * @param failed told of what a step threw
   */
  LaneRound(MapOutputId id, Runnable next, Consumer<IOException> failed) {
    this.id = id;
    this.next = next;
    this.failed = failed;
  }

  /** Starts a step. */
  void start(DeviceLane lane, Step step) {
    open.incrementAndGet();
    submit(lane, step, () -> {});
  }

  /** Starts a step once there is memory for it, which is given back when it is done. */
  void startWith(SegmentMemory memory, long bytes, DeviceLane lane, Step step) {
    open.incrementAndGet();
    SegmentMemory.DeviceRead read = SegmentMemory.DeviceRead.of(id, lane);
    SegmentMemory.Waiter unused =
        memory.acquire(
            read, bytes, bytes, granted -> submit(lane, step, () -> memory.release(read, granted)));
  }

  private void submit(DeviceLane lane, Step step, Runnable after) {
    try {
      lane.submit(LaneQueue.Job.lookUp(id.user(), () -> run(step, after)));
    } catch (RejectedExecutionException e) {
      failed.accept(new IOException(e.getMessage(), e));
      after.run();
      end();
    }
  }

  private void run(Step step, Runnable after) {
    try {
      step.run();
    } catch (IOException e) {
      failed.accept(e);
    } catch (RuntimeException | Error e) {
      failed.accept(new IOException(e));
    } finally {
      after.run();
      end();
    }
  }

  /** One step less; without this after the first steps it does not go on. */
  void end() {
    if (open.decrementAndGet() == 0) {
      next.run();
    }
  }
}
