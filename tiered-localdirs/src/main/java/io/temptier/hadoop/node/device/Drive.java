// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node.device;

import io.temptier.hadoop.metrics.DeviceCounter;
import io.temptier.tier.DirHealth;
import io.temptier.tier.Medium;
import io.temptier.tier.kernel.DiskLoad;
import java.util.EnumMap;
import java.util.Map;

/** A drive below local dirs, as last seen. */
public final class Drive {
  private final String name;
  private final Medium tier;
  private final Map<DeviceCounter, Long> values = new EnumMap<>(DeviceCounter.class);
  private DirHealth health = DirHealth.SOUND;

  /**
   * A drive of which no dir is known yet.
   *
   * @param name in sysfs, such as {@code nvme0n1}
   * @param tier of the fastest of its dirs
   * @param lately what it did in the last window
   */
  Drive(String name, Medium tier, DiskLoad lately) {
    this.name = name;
    this.tier = tier;
    values.put(DeviceCounter.AWAIT_MICROS, Math.round(lately.awaitMillis() * 1_000));
  }

  /** Notes a dir on it: the worst health counts, the longest of their last writes, all errors. */
  void add(DirHealth dirHealth, long micros, long errors) {
    health = dirHealth.compareTo(health) > 0 ? dirHealth : health;
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

  public Map<DeviceCounter, Long> values() {
    return values;
  }
}
