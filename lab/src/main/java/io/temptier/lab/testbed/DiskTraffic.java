// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import java.util.List;

/**
 * Traffic of a disk since it is there, as the kernel counts it.
 *
 * @param busyMillis how long it had a request in work. What a throttle holds back is not in work
 */
public record DiskTraffic(
    long reads, long readBytes, long writes, long writtenBytes, long busyMillis) {
  private static final int SECTOR_BYTES = 512;

  /** Parses {@code /sys/block/NAME/stat}, see the kernel's Documentation/block/stat.rst. */
  static DiskTraffic parse(String stat) {
    List<String> fields = List.of(stat.trim().split(" +", -1));
    return new DiskTraffic(
        Long.parseLong(fields.get(0)),
        Long.parseLong(fields.get(2)) * SECTOR_BYTES,
        Long.parseLong(fields.get(4)),
        Long.parseLong(fields.get(6)) * SECTOR_BYTES,
        Long.parseLong(fields.get(9)));
  }

  public long bytes() {
    return readBytes + writtenBytes;
  }

  public DiskTraffic since(DiskTraffic before) {
    return new DiskTraffic(
        reads - before.reads,
        readBytes - before.readBytes,
        writes - before.writes,
        writtenBytes - before.writtenBytes,
        busyMillis - before.busyMillis);
  }

  /** The share of a time in which it had a request in work, 0 to 1, as iostat's {@code %util}. */
  public double busyShare(double seconds) {
    return Math.min(1, busyMillis / (1000 * seconds));
  }

  /**
   * The share of what a disk of that speed can do, 0 to 1: of its bytes or of its requests, reading
   * or writing, whichever is more.
   */
  public double share(DiskSpeed speed, double seconds) {
    double bytes = Math.max(readBytes, writtenBytes) / (double) speed.bytesPerSecond();
    double requests = Math.max(reads, writes) / (double) speed.iops();
    return Math.min(1, Math.max(bytes, requests) / seconds);
  }
}
