// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.kernel;

/**
 * What a disk did in a span of time, by the kernel's own counters.
 *
 * @param ios I/Os completed, reads and writes; not negative
 * @param millis what they took together, in the queue and on the disk
 * @param bytes what they moved
 * @param busyMillis time during which at least one was under way; of a disk with paths, the sum of
 *     theirs
 * @param writtenBytes what of the bytes was written
 * @param inFlight I/Os under way at its end
 */
public record DiskLoad(
    long ios, long millis, long bytes, long busyMillis, long writtenBytes, long inFlight) {
  /** A disk that did nothing. */
  public static final DiskLoad NONE = new DiskLoad(0, 0, 0, 0, 0, 0);

  /** Milliseconds per I/O, which {@code iostat} prints as {@code await}; 0 without any. */
  public double awaitMillis() {
    return ios == 0 ? 0 : (double) millis / ios;
  }

  /**
   * Bytes moved per millisecond of work, whatever the disk idled between. Work that the kernel's
   * whole milliseconds do not show counts as one.
   */
  public double pace() {
    return (double) bytes / Math.max(1, busyMillis);
  }

  /** Both together. */
  public DiskLoad plus(DiskLoad other) {
    return new DiskLoad(
        ios + other.ios,
        millis + other.millis,
        bytes + other.bytes,
        busyMillis + other.busyMillis,
        writtenBytes + other.writtenBytes,
        inFlight + other.inFlight);
  }

  /** What was added since {@code earlier}; anything negative when the counters began anew. */
  DiskLoad minus(DiskLoad earlier) {
    return new DiskLoad(
        ios - earlier.ios,
        millis - earlier.millis,
        bytes - earlier.bytes,
        busyMillis - earlier.busyMillis,
        writtenBytes - earlier.writtenBytes,
        inFlight);
  }

  /** Whether this can be a span of time. */
  boolean valid() {
    return ios >= 0 && millis >= 0 && bytes >= 0 && busyMillis >= 0 && writtenBytes >= 0;
  }
}
