// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node.device;

import io.temptier.hadoop.metrics.DeviceCounter;
import io.temptier.tier.DirHealth;
import io.temptier.tier.Medium;
import io.temptier.tier.kernel.DiskLoad;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;

/** A drive below local dirs, as last seen. */
public final class Drive {
  private static final long DAY_SECONDS = 86_400;

  private final String name;
  private final Medium tier;
  private final Wear wear;
  private final Map<DeviceCounter, Long> values = new EnumMap<>(DeviceCounter.class);
  private DirHealth health = DirHealth.SOUND;

  /**
   * A drive of which no dir is known yet.
   *
   * @param name in sysfs, such as {@code nvme0n1}
   * @param tier of the fastest of its dirs
   * @param total what it did since the machine's start
   * @param lately what it did in the last window
   * @param upSeconds how long the machine has run; 0 when not known
   */
  Drive(
      String name,
      Medium tier,
      DiskLoad total,
      DiskLoad lately,
      long upSeconds,
      OptionalLong ioErrors,
      Wear wear) {
    this.name = name;
    this.tier = tier;
    this.wear = wear;
    values.put(DeviceCounter.AWAIT_MICROS, Math.round(lately.awaitMillis() * 1_000));
    values.put(DeviceCounter.IN_FLIGHT, total.inFlight());
    values.put(DeviceCounter.IOS, total.ios());
    values.put(DeviceCounter.BUSY_MICROS, total.busyMillis() * 1_000);
    values.put(DeviceCounter.READ_BYTES, total.bytes() - total.writtenBytes());
    values.put(DeviceCounter.WRITTEN_BYTES, total.writtenBytes());
    if (upSeconds > 0) {
      double perSecond = (double) total.writtenBytes() / upSeconds;
      values.put(DeviceCounter.WRITTEN_BYTES_PER_DAY, Math.round(perSecond * DAY_SECONDS));
    }
    ioErrors.ifPresent(errors -> values.put(DeviceCounter.IO_ERRORS, errors));
    values.putAll(wear.values());
  }

  /** Notes a dir on it: the worst health counts, the longest of their last writes, all errors. */
  void add(DirHealth of, long micros, long errors) {
    health = of.compareTo(health) > 0 ? of : health;
    values.put(DeviceCounter.HUNG, health == DirHealth.HUNG ? 1L : 0);
    values.put(DeviceCounter.SLOW, health == DirHealth.SLOW ? 1L : 0);
    values.merge(DeviceCounter.WATCH_MICROS, micros, Math::max);
    values.merge(DeviceCounter.WATCH_ERRORS, errors, Long::sum);
  }

  public String name() {
    return name;
  }

  public Medium tier() {
    return tier;
  }

  DirHealth health() {
    return health;
  }

  public Wear wear() {
    return wear;
  }

  /** Its numbers, without those that nobody knows. */
  public Map<DeviceCounter, Long> values() {
    return values;
  }
}
