// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import java.util.List;

/** Traffic of a disk since it is there, as the kernel counts it. */
public record DiskTraffic(long reads, long readBytes, long writes, long writtenBytes) {
  private static final int SECTOR_BYTES = 512;

  /** Parses {@code /sys/block/NAME/stat}, see the kernel's Documentation/block/stat.rst. */
  static DiskTraffic parse(String stat) {
    List<String> fields = List.of(stat.trim().split(" +", -1));
    return new DiskTraffic(
        Long.parseLong(fields.get(0)),
        Long.parseLong(fields.get(2)) * SECTOR_BYTES,
        Long.parseLong(fields.get(4)),
        Long.parseLong(fields.get(6)) * SECTOR_BYTES);
  }

  public long bytes() {
    return readBytes + writtenBytes;
  }

  public DiskTraffic since(DiskTraffic before) {
    return new DiskTraffic(
        reads - before.reads,
        readBytes - before.readBytes,
        writes - before.writes,
        writtenBytes - before.writtenBytes);
  }
}
