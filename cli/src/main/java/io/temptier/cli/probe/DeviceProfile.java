// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.probe;

import com.google.auto.value.AutoValue;
import java.util.Locale;

/** What a disk can do: two bandwidths, and the latency of 4 kB anywhere, one request at a time. */
@AutoValue
public abstract class DeviceProfile {
  /** Whether the page cache was passed by; if not, this says little of the disk. */
  public abstract boolean direct();

  /** MB/s of one writer, a megabyte at a time. */
  public abstract double writeMbps();

  /** MB/s of one reader, a megabyte at a time. */
  public abstract double readMbps();

  public abstract double requestsPerSecond();

  public abstract double meanMicros();

  /** 99 of 100 requests take at most this long. */
  public abstract double p99Micros();

  static DeviceProfile of(
      boolean direct,
      double writeMbps,
      double readMbps,
      double requestsPerSecond,
      double meanMicros,
      double p99Micros) {
    return new AutoValue_DeviceProfile(
        direct, writeMbps, readMbps, requestsPerSecond, meanMicros, p99Micros);
  }

  @Override
  public final String toString() {
    return String.format(
        Locale.ROOT,
        "4 kB anywhere, one at a time, 70 %% reads: mean %.0f us, p99 %.0f us, %.0f a second;"
            + " %.1f MB/s read, %.1f MB/s written in order%s",
        meanMicros(),
        p99Micros(),
        requestsPerSecond(),
        readMbps(),
        writeMbps(),
        direct() ? "" : " (cached)");
  }
}
