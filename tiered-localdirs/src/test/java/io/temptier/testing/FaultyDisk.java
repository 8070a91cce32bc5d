// SPDX-License-Identifier: Apache-2.0
package io.temptier.testing;

import io.temptier.tier.os.Capacity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Disks with the faults of real ones, at the seam where capacity is asked and paths are made: as
 * full as a test says, read-only, vanished, or hung until released. Safe for use by many threads.
 */
public final class FaultyDisk implements Capacity.Probe {
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

  /** Takes the disk away. */
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

  /** Lets the disk answer again. */
  public void release(Path dir) {
    CountDownLatch latch = hung.remove(dir);
    if (latch != null) {
      latch.countDown();
    }
  }

  /** How often anything was asked. */
  public int probes() {
    return probes.get();
  }

  /** How many wait for a disk that hangs. */
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
