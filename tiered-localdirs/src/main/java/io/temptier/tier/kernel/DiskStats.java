// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.kernel;

import com.google.auto.value.AutoValue;
import io.temptier.tier.Immutable;
import io.temptier.tier.Strings;
import java.util.HashMap;
import java.util.Map;

/**
 * The kernel's counters of every disk at one moment, as {@code /proc/diskstats} has them. Fields
 * are numbered as in the kernel's {@code Documentation/admin-guide/iostats.rst}: 1 and 5 are reads
 * and writes completed, 4 and 8 the milliseconds they took from being queued to being done, 3 and 7
 * the sectors of 512 bytes, 9 the I/Os under way, 10 the milliseconds with any I/O under way.
 */
@AutoValue
public abstract class DiskStats {

  private static final long SECTOR_BYTES = 512;

  /** Column of field 1: major number, minor number and name come before it. */
  private static final int FIRST = 3;

  private static final int LEAST_COLUMNS = FIRST + 11;

  /** By name in sysfs, such as {@code nvme0n1}; counters since the disk appeared. */
  public abstract Map<String, DiskLoad> disks();

  public static DiskStats of(Map<String, DiskLoad> disks) {
    disks = Immutable.copyOf(disks);
    return new AutoValue_DiskStats(disks);
  }

  /** Parses the text of the file. Lines that do not look like it are passed over. */
  static DiskStats parse(String text) {
    Map<String, DiskLoad> disks = new HashMap<>();
    Strings.lines(text)
        .forEach(
            line -> {
              String[] columns = line.trim().split("\\s+", -1);
              if (columns.length >= LEAST_COLUMNS) {
                try {
                  // sysfs cannot have a slash in a name.
                  disks.put(columns[2].replace('/', '!'), counters(columns));
                } catch (NumberFormatException e) {
                  // No line of counters.
                }
              }
            });
    return DiskStats.of(disks);
  }

  private static DiskLoad counters(String[] columns) {
    return DiskLoad.of(
        field(columns, 1) + field(columns, 5),
        field(columns, 4) + field(columns, 8),
        (field(columns, 3) + field(columns, 7)) * SECTOR_BYTES,
        field(columns, 10),
        field(columns, 7) * SECTOR_BYTES,
        field(columns, 9));
  }

  private static long field(String[] columns, int number) {
    return Long.parseLong(columns[FIRST + number - 1]);
  }

  /**
   * What each disk did since {@code earlier}. A disk that is new, or whose counters wrapped or
   * began anew, is left out.
   */
  public Map<String, DiskLoad> since(DiskStats earlier) {
    Map<String, DiskLoad> loads = new HashMap<>();
    disks()
        .forEach(
            (disk, now) -> {
              DiskLoad then = earlier.disks().get(disk);
              if (then != null && now.minus(then).valid()) {
                loads.put(disk, now.minus(then));
              }
            });
    return loads;
  }
}
