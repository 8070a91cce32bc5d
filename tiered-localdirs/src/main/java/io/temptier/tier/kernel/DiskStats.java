// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.kernel;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.lang.Strings;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.regex.Pattern;

/**
 * The kernel's counters of every disk at one moment, as {@code /proc/diskstats} has them. Fields
 * are numbered as in the kernel's {@code Documentation/admin-guide/iostats.rst}: 1 and 5 are reads
 * and writes completed, 4 and 8 the milliseconds they took from being queued to being done, 3 and 7
 * the sectors of 512 bytes, 9 the I/Os under way, 10 the milliseconds with any I/O under way.
 *
 * <p>With NVMe's own multipath a file system lies on {@code nvme0n1}, and what it moves is counted
 * at each path to that, {@code nvme0c0n1} and {@code nvme0c1n1}: subsystem, controller, namespace.
 * Only kernels since 6.2 count it at the disk as well. A disk with paths did what its paths did,
 * also the milliseconds in which they had work at the same time.
 */
@AutoValue
public abstract class DiskStats {

  private static final Pattern PATH = Pattern.compile("(nvme\\d+)c\\d+(n\\d+)");

  private static final long SECTOR_BYTES = 512;

  /** Column of field 1: major number, minor number and name come before it. */
  private static final int FIRST = 3;

  private static final int LEAST_COLUMNS = FIRST + 11;

  /** Counters since the disk appeared, by name in sysfs; paths stand for themselves. */
  public abstract Map<String, DiskLoad> lines();

  public static DiskStats of(Map<String, DiskLoad> lines) {
    lines = Immutable.copyOf(lines);
    return new AutoValue_DiskStats(lines);
  }

  /** Returns each disk's work since it appeared, by name in sysfs, such as {@code nvme0n1}. */
  public Map<String, DiskLoad> disks() {
    return joined(lines(), lines().keySet());
  }

  private static Map<String, DiskLoad> joined(Map<String, DiskLoad> loads, Set<String> names) {
    Set<String> disksWithPaths = new HashSet<>();
    names.stream().filter(DiskStats::isPath).forEach(path -> disksWithPaths.add(disk(path)));
    Map<String, DiskLoad> joined = new HashMap<>();
    loads.forEach(
        (name, load) -> {
          if (!disksWithPaths.contains(name)) {
            joined.merge(isPath(name) ? disk(name) : name, load, DiskLoad::plus);
          }
        });
    return joined;
  }

  private static boolean isPath(String name) {
    return name.startsWith("nvme") && PATH.matcher(name).matches();
  }

  private static String disk(String path) {
    return PATH.matcher(path).replaceAll("$1$2");
  }

  /** Parses the text of the file. Lines that do not look like it are passed over. */
  static DiskStats parse(String text) {
    Map<String, DiskLoad> lines = new HashMap<>();
    Strings.lines(text)
        .forEach(
            line -> {
              StringTokenizer words = new StringTokenizer(line);
              String[] columns = new String[LEAST_COLUMNS];
              try {
                Arrays.setAll(columns, i -> words.nextToken());
                // sysfs cannot have a slash in a name.
                lines.put(columns[2].replace('/', '!'), counters(columns));
              } catch (NumberFormatException | NoSuchElementException e) {
                // No line of counters.
              }
            });
    return DiskStats.of(lines);
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
   * Returns each disk's work since {@code earlier}. A disk that is new, or whose counters wrapped
   * or began anew, is left out, and so is such a path.
   */
  public Map<String, DiskLoad> since(DiskStats earlier) {
    Map<String, DiskLoad> loads = new HashMap<>();
    lines()
        .forEach(
            (name, now) -> {
              DiskLoad then = earlier.lines().get(name);
              DiskLoad load = then == null ? null : now.minus(then);
              if (load != null && load.valid()) {
                loads.put(name, load);
              }
            });
    return joined(loads, lines().keySet());
  }
}
