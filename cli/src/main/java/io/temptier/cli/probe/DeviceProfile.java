// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.probe;

import com.google.auto.value.AutoValue;
import java.util.Locale;

/** What a disk can do. */
@AutoValue
public abstract class DeviceProfile {
  /** Whether the page cache was passed by; if not, this says little of the disk. */
  public abstract boolean direct();

  /** MB/s of one writer, a megabyte at a time. */
  public abstract double writeMbps();

  /** MB/s of one reader, a megabyte at a time. */
  public abstract double readMbps();

  /** Of the mix. */
  public abstract double requestsPerSecond();

  /** Requests of 4 kB anywhere, one at a time, 70 of 100 reads. */
  public abstract Latency mix();

  public abstract Latency reads();

  public abstract Latency writes();

  public static DeviceProfile of(
      boolean direct,
      double writeMbps,
      double readMbps,
      double requestsPerSecond,
      Latency mix,
      Latency reads,
      Latency writes) {
    return new AutoValue_DeviceProfile(
        direct, writeMbps, readMbps, requestsPerSecond, mix, reads, writes);
  }

  @Override
  public final String toString() {
    return String.format(
        Locale.ROOT,
        "4 kB anywhere, one at a time, 70 %% reads: mean %s, p50 %s, p99 %s, p99.9 %s, p99.99 %s,"
            + " p99.999 %s, %.0f a second; %.1f MB/s read, %.1f MB/s written in order%s",
        ProbeText.micros(mix().mean()),
        ProbeText.micros(mix().p50()),
        ProbeText.micros(mix().p99()),
        ProbeText.micros(mix().p999()),
        ProbeText.micros(mix().p9999()),
        ProbeText.micros(mix().p99999()),
        requestsPerSecond(),
        readMbps(),
        writeMbps(),
        direct() ? "" : " (cached)");
  }
}
