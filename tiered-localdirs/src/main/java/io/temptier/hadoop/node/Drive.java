// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import com.google.auto.value.AutoValue;
import io.temptier.hadoop.metrics.DeviceCounter;
import io.temptier.tier.DirHealth;
import io.temptier.tier.Medium;
import io.temptier.tier.kernel.DiskLoad;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A drive below local dirs, as last seen. */
@AutoValue
abstract class Drive {

  private static final long DAY_SECONDS = 86_400;

  /** In sysfs, such as {@code nvme0n1}. */
  abstract String name();

  /** Of the fastest of its dirs. */
  abstract Medium tier();

  /** The worst of its dirs'. */
  abstract DirHealth health();

  /** What it did since the machine's start. */
  abstract DiskLoad total();

  /** What it did in the last window. */
  abstract DiskLoad lately();

  /** How long the machine has run; 0 when not known. */
  abstract long upSeconds();

  /** Errors the kernel counted, where it does. */
  abstract OptionalLong ioErrors();

  /** How long the last own write took, of its dirs the longest. */
  abstract long watchMicros();

  /** Own writes that failed. */
  abstract long watchErrors();

  /** What it says of itself. */
  abstract Wear wear();

  static Drive of(
      String name,
      Medium tier,
      DirHealth health,
      DiskLoad total,
      DiskLoad lately,
      long upSeconds,
      OptionalLong ioErrors,
      long watchMicros,
      long watchErrors,
      Wear wear) {
    return new AutoValue_Drive(
        name, tier, health, total, lately, upSeconds, ioErrors, watchMicros, watchErrors, wear);
  }

  /** The same with another dir on it. */
  Drive with(DirHealth another, long micros, long errors) {
    return Drive.of(
        name(),
        tier(),
        another.compareTo(health()) > 0 ? another : health(),
        total(),
        lately(),
        upSeconds(),
        ioErrors(),
        Math.max(watchMicros(), micros),
        watchErrors() + errors,
        wear());
  }

  /** Its numbers, without those that nobody knows. */
  Map<DeviceCounter, Long> values() {
    Map<DeviceCounter, Long> values = new EnumMap<>(DeviceCounter.class);
    values.put(DeviceCounter.HUNG, health() == DirHealth.HUNG ? 1L : 0);
    values.put(DeviceCounter.SLOW, health() == DirHealth.SLOW ? 1L : 0);
    values.put(DeviceCounter.AWAIT_MICROS, Math.round(lately().awaitMillis() * 1_000));
    values.put(DeviceCounter.IN_FLIGHT, total().inFlight());
    values.put(DeviceCounter.IOS, total().ios());
    values.put(DeviceCounter.BUSY_MICROS, total().busyMillis() * 1_000);
    values.put(DeviceCounter.READ_BYTES, total().bytes() - total().writtenBytes());
    values.put(DeviceCounter.WRITTEN_BYTES, total().writtenBytes());
    if (upSeconds() > 0) {
      double perSecond = (double) total().writtenBytes() / upSeconds();
      values.put(DeviceCounter.WRITTEN_BYTES_PER_DAY, Math.round(perSecond * DAY_SECONDS));
    }
    ioErrors().ifPresent(errors -> values.put(DeviceCounter.IO_ERRORS, errors));
    values.put(DeviceCounter.WATCH_MICROS, watchMicros());
    values.put(DeviceCounter.WATCH_ERRORS, watchErrors());
    put(values, DeviceCounter.USED_PERCENT, wear().usedPercent());
    put(values, DeviceCounter.SPARE_PERCENT, wear().sparePercent());
    put(values, DeviceCounter.MEDIA_ERRORS, wear().mediaErrors());
    put(values, DeviceCounter.LIFETIME_WRITTEN_BYTES, wear().writtenBytes());
    Boolean failed = wear().failed();
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
