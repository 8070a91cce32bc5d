// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node.device;

import io.temptier.tier.LocalDir;
import io.temptier.tier.kernel.DiskLoad;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Recent and coming traffic of each dir's disk: what it read, and what it wrote or was given to
 * write, whichever is more. What was given and not yet written waits in the page cache, where no
 * counter of the disk sees it, for half a minute or longer on a machine with much memory; what was
 * written and not given is HDFS's and others'. All three fade by half in {@link
 * #HALF_LIFE_SECONDS}: long enough that outputs count until they are fetched, which the same disk
 * has to read again, and short enough that a busy hour is soon forgotten.
 *
 * <p>Dirs on one disk have its traffic in common. Pure: no I/O and no clock. For use by one thread.
 */
final class RecentTraffic {
  static final double HALF_LIFE_SECONDS = 30;

  /** Finer differences say nothing of two disks: such dirs are equals. */
  static final long STEP_BYTES = 1 << 20;

  private static final class Moved {
    double read;
    double written;
    double given;

    long steps() {
      return Math.round((read + Math.max(written, given)) / STEP_BYTES);
    }
  }

  private Map<Object, Moved> byDisk = new HashMap<>();

  /**
   * Ends a span of time, and says what counts at its end.
   *
   * @param devices those below each dir; none where nobody knows
   * @param done what each device did in that time
   * @param given bytes that files were placed for in each dir in that time
   * @return bytes by dir, those that are idle left out
   */
  Map<LocalDir, Long> after(
      double seconds,
      Map<LocalDir, Set<String>> devices,
      Map<String, DiskLoad> done,
      Map<LocalDir, Long> given) {
    double share = Math.pow(0.5, seconds / HALF_LIFE_SECONDS);
    Map<Object, Moved> now = new HashMap<>();
    Map<LocalDir, Moved> below = new HashMap<>();
    devices.forEach(
        (dir, names) -> {
          Object key = names.isEmpty() ? dir : names;
          Moved disk = now.computeIfAbsent(key, absent -> faded(absent, share, names, done));
          disk.given += given.getOrDefault(dir, 0L);
          below.put(dir, disk);
        });
    byDisk = now;
    Map<LocalDir, Long> bytes = new HashMap<>();
    below.forEach((dir, disk) -> bytes.put(dir, disk.steps() * STEP_BYTES));
    bytes.values().removeIf(idle -> idle == 0);
    return bytes;
  }

  private Moved faded(Object disk, double share, Set<String> names, Map<String, DiskLoad> done) {
    Moved moved = new Moved();
    Moved before = byDisk.getOrDefault(disk, moved);
    moved.read = before.read * share;
    moved.written = before.written * share;
    moved.given = before.given * share;
    for (String name : names) {
      DiskLoad load = done.getOrDefault(name, DiskLoad.NONE);
      moved.read += load.bytes() - load.writtenBytes();
      moved.written += load.writtenBytes();
    }
    return moved;
  }
}
