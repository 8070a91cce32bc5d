// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node.device;

import io.temptier.hadoop.metrics.DeviceCounter;
import io.temptier.tier.DirHealth;
import io.temptier.tier.Medium;
import io.temptier.tier.kernel.DiskLoad;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A drive below local dirs, as last seen. */
public final class Drive {
  private static final long DAY_SECONDS = 86_400;

  private final String name;
  private final Medium tier;
  private final DiskLoad total;
  private final DiskLoad lately;
  private final long upSeconds;
  private final OptionalLong ioErrors;
  private final Wear wear;
  private DirHealth health = DirHealth.SOUND;
  private long watchMicros;
  private long watchErrors;

  /**
   * A drive of which no dir is known yet.
   *
   * @param name in sysfs, such as {@code nvme0n1}
   * @param tier of the fastest of its dirs
   * @param total what it did since the machine's start
   * @param lately what it did in the last window
   * @param upSeconds how long the machine has run; 0 when not known
   * @param ioErrors errors the kernel counted, where it does
   * @param wear what it says of itself
   */
  public Drive(
      String name,
      Medium tier,
      DiskLoad total,
      DiskLoad lately,
      long upSeconds,
      OptionalLong ioErrors,
      Wear wear) {
    this.name = name;
    this.tier = tier;
    this.total = total;
    this.lately = lately;
    this.upSeconds = upSeconds;
    this.ioErrors = ioErrors;
    this.wear = wear;
  }

  /** Notes a dir on it: the worst health counts, the longest of their last writes, all errors. */
  void add(DirHealth of, long micros, long errors) {
    health = of.compareTo(health) > 0 ? of : health;
    watchMicros = Math.max(watchMicros, micros);
    watchErrors += errors;
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

  /** What it did since the machine's start. */
  DiskLoad total() {
    return total;
  }

  /** What it did in the last window. */
  DiskLoad lately() {
    return lately;
  }

  public Wear wear() {
    return wear;
  }

  /** Its numbers, without those that nobody knows. */
  public Map<DeviceCounter, Long> values() {
    Map<DeviceCounter, Long> values = new EnumMap<>(DeviceCounter.class);
    values.put(DeviceCounter.HUNG, health == DirHealth.HUNG ? 1L : 0);
    values.put(DeviceCounter.SLOW, health == DirHealth.SLOW ? 1L : 0);
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
    values.put(DeviceCounter.WATCH_MICROS, watchMicros);
    values.put(DeviceCounter.WATCH_ERRORS, watchErrors);
    put(values, DeviceCounter.USED_PERCENT, wear.usedPercent());
    put(values, DeviceCounter.SPARE_PERCENT, wear.sparePercent());
    put(values, DeviceCounter.MEDIA_ERRORS, wear.mediaErrors());
    put(values, DeviceCounter.LIFETIME_WRITTEN_BYTES, wear.writtenBytes());
    Boolean failed = wear.failed();
    put(values, DeviceCounter.HEALTH_FAILED, failed == null ? null : (Long) (failed ? 1L : 0));
    return values;
  }

  private static void put(
      Map<DeviceCounter, Long> values, DeviceCounter counter, @Nullable Long value) {
    if (value != null) {
      values.put(counter, value);
    }
  }
}
