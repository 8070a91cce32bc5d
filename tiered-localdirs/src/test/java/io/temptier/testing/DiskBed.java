// SPDX-License-Identifier: Apache-2.0
package io.temptier.testing;

import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.claim.Outstanding;
import io.temptier.tier.os.Capacity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;

/** Local dirs on disks that a test makes up, by a clock that it turns. */
public abstract class DiskBed {
  protected static final long GB = 1L << 30;
  protected static final long MB = 1L << 20;

  @TempDir protected Path temp;
  protected final FaultyDisk disk = new FaultyDisk();
  protected final ManualClock clock = new ManualClock();

  /** A new dir with a folder of claims, on a disk of its own that is so large and empty. */
  protected final LocalDir dir(String name, Medium medium, long totalBytes, long usableBytes)
      throws IOException {
    LocalDir dir = Layouts.dir(Layouts.root(temp.resolve(name)), medium);
    disk.set(dir.path(), totalBytes, usableBytes);
    return dir;
  }

  /** What is promised in a dir, as another process sees it. */
  protected final Outstanding promised(LocalDir dir) {
    return Layouts.claims(Layouts.claimsOf(dir.path()), Path.of("/proc"), clock)
        .outstanding(Long.MAX_VALUE, Long.MAX_VALUE, 0);
  }

  /**
   * Disks with the faults of real ones, at the seam where capacity is asked and paths are made: as
   * full as a test says, read-only, vanished, or hung until released. Safe for use by many threads.
   */
  public static final class FaultyDisk implements Capacity.Probe {
    private final Map<Path, Capacity> capacities = new ConcurrentHashMap<>();
    private final Map<Path, String> unwritable = new ConcurrentHashMap<>();
    private final Map<Path, CountDownLatch> hung = new ConcurrentHashMap<>();
    private final AtomicInteger probes = new AtomicInteger();
    private final AtomicInteger hanging = new AtomicInteger();

    /** Sets how large and how empty a dir's disk is; it is in order from then on. */
    public void set(Path dir, long totalBytes, long usableBytes) {
      set(dir, Capacity.of(totalBytes, usableBytes, 0, 0));
    }

    /** The same with inodes. */
    public void set(Path dir, Capacity capacity) {
      capacities.put(dir, capacity);
      unwritable.remove(dir);
    }

    public void vanish(Path dir) {
      capacities.remove(dir);
    }

    /** Lets nothing more be written there, as a kernel does after errors. */
    public void makeReadOnly(Path dir) {
      unwritable.put(dir, "Read-only file system");
    }

    /** Lets whoever asks wait until {@link #release}. */
    public void hang(Path dir) {
      hung.put(dir, new CountDownLatch(1));
    }

    public void release(Path dir) {
      CountDownLatch latch = hung.remove(dir);
      if (latch != null) {
        latch.countDown();
      }
    }

    public int probes() {
      return probes.get();
    }

    public int hanging() {
      return hanging.get();
    }

    @Override
    public Capacity probe(Path dir) throws IOException {
      probes.incrementAndGet();
      CountDownLatch latch = hung.get(dir);
      if (latch != null) {
        hanging.incrementAndGet();
        try {
          latch.await();
        } catch (InterruptedException e) {
          throw new IOException(e);
        } finally {
          hanging.decrementAndGet();
        }
      }
      Capacity capacity = capacities.get(dir);
      if (capacity == null) {
        throw new IOException(dir + " vanished");
      }
      return capacity;
    }

    /** The path of a file in a dir, as an allocator makes it. */
    public Path make(Path dir, String path) throws IOException {
      String error = unwritable.get(dir);
      if (error != null) {
        throw new IOException(error);
      }
      return dir.resolve(path);
    }
  }
}
