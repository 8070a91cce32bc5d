// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.kernel;

import com.google.auto.value.AutoValue;

/** Work of a disk in a span of time, by the kernel's own counters. */
@AutoValue
public abstract class DiskLoad {

  public static final DiskLoad NONE = DiskLoad.of(0, 0, 0, 0, 0, 0);

  /** I/Os completed, reads and writes; not negative. */
  public abstract long ios();

  /** Milliseconds that the I/Os together spent in the queue and on the disk. */
  public abstract long millis();

  public abstract long bytes();

  /** Time during which at least one was under way; of a disk with paths, the sum of theirs. */
  public abstract long busyMillis();

  public abstract long writtenBytes();

  public abstract long inFlight();

  public static DiskLoad of(
      long ios, long millis, long bytes, long busyMillis, long writtenBytes, long inFlight) {
    return new AutoValue_DiskLoad(ios, millis, bytes, busyMillis, writtenBytes, inFlight);
  }

  /** Milliseconds per I/O, which {@code iostat} prints as {@code await}; 0 without any. */
  public double awaitMillis() {
    return ios() == 0 ? 0 : (double) millis() / ios();
  }

  /**
   * Bytes moved per millisecond of work, whatever the disk idled between. Work that the kernel's
   * whole milliseconds do not show counts as one.
   */
  public double pace() {
    return (double) bytes() / Math.max(1, busyMillis());
  }

  public DiskLoad plus(DiskLoad other) {
    return DiskLoad.of(
        ios() + other.ios(),
        millis() + other.millis(),
        bytes() + other.bytes(),
        busyMillis() + other.busyMillis(),
        writtenBytes() + other.writtenBytes(),
        inFlight() + other.inFlight());
  }

  /** Subtracts an earlier reading; something is negative when the counters began anew. */
  DiskLoad minus(DiskLoad earlier) {
    return DiskLoad.of(
        ios() - earlier.ios(),
        millis() - earlier.millis(),
        bytes() - earlier.bytes(),
        busyMillis() - earlier.busyMillis(),
        writtenBytes() - earlier.writtenBytes(),
        inFlight());
  }

  /** True if this can be a span of time. */
  boolean valid() {
    return ios() >= 0 && millis() >= 0 && bytes() >= 0 && busyMillis() >= 0 && writtenBytes() >= 0;
  }
}
