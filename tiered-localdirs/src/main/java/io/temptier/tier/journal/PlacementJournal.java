// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.journal;

import io.temptier.tier.os.Later;
import io.temptier.tier.os.ProcessTable;
import io.temptier.tier.os.Threads;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.PlacementRequest;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down every placement of this process, one {@link PlacementRecord} a line, so that {@code
 * explain} and the NodeManager's metrics know what tasks did.
 *
 * <p>Tasks of one application append to one file in the first of their local dirs that takes it;
 * the file goes when the application's dir is deleted. The NodeManager keeps a file of its own and
 * turns it over at a bound. The file is mode 0640: its group is the NodeManager's through the
 * set-group-id bit of the application's dir.
 *
 * <p>A journal delays no placement: lines wait in a bounded queue for a borrowed thread that writes
 * them. With the queue full, as while the disk does not answer, they are dropped and counted in
 * {@link #dropped()}. So are those that no dir took; the next dir is tried after a while. The first
 * trouble is logged. Safe for use by many threads, none of which waits.
 */
public final class PlacementJournal implements PlacementListener, Closeable {
  /** File name of an application's journal, in one of its local dirs. */
  public static final String APPLICATION_FILE = ".temptier-placements";

  /** File name of the NodeManager's own journal, in the private folder of a root. */
  public static final String NODE_FILE = "placements";

  /** Suffix of the name of a journal that was turned over. */
  public static final String OLD_SUFFIX = ".old";

  /** The NodeManager's journal is turned over at this size, in bytes. */
  public static final long NODE_MAX_BYTES = 4L << 20;

  /** An application's journal grows no further than this, in bytes, on one node. */
  public static final long APPLICATION_MAX_BYTES = 64L << 20;

  /** Records that wait for the disk, of a few hundred bytes each. */
  static final int MOST_WAITING = 4096;

  private static final Logger LOG = LoggerFactory.getLogger(PlacementJournal.class);

  /** Time after a failure in which lines are dropped before the dirs are tried again. */
  private static final long RETRY_MILLIS = 30_000;

  /** Time that the end of a process waits for its last lines, which take microseconds each. */
  public static final Duration LAST_LINES = Duration.ofSeconds(2);

  private static final long POLL_NANOS = 200_000;

  /** Lines are left so long to become more: to have a thread costs more than to write one. */
  private static final Duration GATHER = Duration.ofMillis(10);

  private final JournalFile file;
  private final LongSupplier clockMillis;
  private final long pid = ProcessTable.ownPid();
  private final BlockingQueue<PlacementRecord> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final AtomicLong accepted = new AtomicLong();
  private final AtomicLong handled = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicBoolean failureLogged = new AtomicBoolean();

  private final AtomicBoolean writing = new AtomicBoolean();

  private volatile boolean closed;
  // Used by the writer's thread alone.
  private long failedMillis = -RETRY_MILLIS;

  PlacementJournal(JournalFile file, LongSupplier clockMillis) {
    this.file = file;
    this.clockMillis = clockMillis;
  }

  /**
   * The journal of a task, in one of the application's local dirs, in the order to try them, that
   * is usable at the time.
   */
  public static PlacementJournal ofApplication(List<Path> localDirs, Predicate<Path> usable) {
    return new PlacementJournal(
        new JournalFile(localDirs, APPLICATION_FILE, APPLICATION_MAX_BYTES, false, usable),
        System::currentTimeMillis);
  }

  /** Opens the NodeManager's own, in the first root's private folder that is usable then. */
  public static PlacementJournal ofNode(List<Path> privateDirs, Predicate<Path> usable) {
    return new PlacementJournal(
        new JournalFile(privateDirs, NODE_FILE, NODE_MAX_BYTES, true, usable),
        System::currentTimeMillis);
  }

  @Override
  public void placed(PlacementRequest request, Placement placement) {
    add(PlacementRecord.Event.PLACED, request, placement, request.bytes());
  }

  @Override
  public void settled(PlacementRequest request, Placement placement, long bytes) {
    add(PlacementRecord.Event.SETTLED, request, placement, bytes);
  }

  /** Writes down that a file was moved to a slower tier, with the placement of its copy. */
  public void demoted(PlacementRequest request, Placement placement) {
    add(PlacementRecord.Event.DEMOTED, request, placement, request.bytes());
  }

  public long dropped() {
    return dropped.get();
  }

  /** Returns where lines go at the moment; empty before the first line and after a failure. */
  public Optional<Path> file() {
    return file.path();
  }

  private void add(
      PlacementRecord.Event event, PlacementRequest request, Placement placement, long bytes) {
    try {
      PlacementRecord record =
          PlacementRecord.of(clockMillis.getAsLong(), pid, event, request, placement, bytes);
      if (closed) {
        dropped.incrementAndGet();
      } else if (waiting.offer(record)) {
        accepted.incrementAndGet();
        writeSoon();
      } else {
        dropped.incrementAndGet();
        logOnce("the disk of " + file.path().map(Path::toString).orElse("none") + " is too slow");
      }
    } catch (RuntimeException | OutOfMemoryError e) {
      dropped.incrementAndGet();
      logOnce(e.toString());
    }
  }

  private void writeSoon() {
    if (writing.compareAndSet(false, true)) {
      Future<?> unused = Later.after(GATHER, this::borrow);
    }
  }

  private void borrow() {
    try {
      Threads.run("temptier-journal", this::writeAll);
    } catch (OutOfMemoryError e) {
      // So the JDK says that there is no thread to spare; the next line asks for another.
      writing.set(false);
      logOnce(e.toString());
    }
  }

  private void writeAll() {
    for (PlacementRecord record = waiting.poll(); record != null; record = waiting.poll()) {
      write(record);
      handled.incrementAndGet();
    }
    if (closed) {
      file.close();
    }
    writing.set(false);
    // What came since the last look, or the end.
    if (!waiting.isEmpty() || (closed && file.path().isPresent())) {
      writeSoon();
    }
  }

  private void write(PlacementRecord record) {
    long now = clockMillis.getAsLong();
    try {
      Optional<byte[]> line = record.toLine();
      if (!line.isPresent()
          || Math.abs(now - failedMillis) < RETRY_MILLIS
          || !file.append(line.get(), now)) {
        dropped.incrementAndGet();
      }
    } catch (IOException | RuntimeException | Error e) {
      dropped.incrementAndGet();
      failedMillis = now;
      logOnce(e.toString());
    }
  }

  /** Waits until what was placed before is written or dropped; false when it is not in time. */
  public boolean flush(Duration patience) {
    long target = accepted.get();
    long since = System.nanoTime();
    while (handled.get() < target) {
      if (writing.compareAndSet(false, true)) {
        borrow();
      }
      if (System.nanoTime() - since >= patience.toNanos()) {
        LOG.warn("{} placements are not written down yet", target - handled.get());
        return false;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return true;
  }

  /** Writes what waits, within {@link #LAST_LINES}, and stops. Later events are dropped. */
  @Override
  public void close() {
    closed = true;
    if (flush(LAST_LINES) && writing.compareAndSet(false, true)) {
      borrow();
    }
  }

  private void logOnce(String what) {
    if (failureLogged.compareAndSet(false, true)) {
      LOG.warn(
          "Placements are not being written down: {}. Files are placed as before; 'explain' and"
              + " the NodeManager's counters will miss some. Tried again, not logged again.",
          what);
    }
  }
}
