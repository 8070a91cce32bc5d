// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.lane;

import io.temptier.tier.lang.Immutable;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.hadoop.metrics2.util.Quantile;
import org.apache.hadoop.metrics2.util.SampleQuantiles;

/** Statistics of what was served from one medium. Safe for use by many threads. */
public final class MediumStats {
  public static final Quantile P50 = new Quantile(0.50, 0.010);

  public static final Quantile P99 = new Quantile(0.99, 0.001);

  public static final Quantile P999 = new Quantile(0.999, 0.0001);

  /** A read that took so long, waiting included, is a stall: a fetcher notices. */
  static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Span after which shown quantiles change: as often as Hadoop reads metrics by default. */
  static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final LongSupplier clockNanos;
  private final LongAdder segments = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder stalls = new LongAdder();
  private final SampleQuantiles latencies = new SampleQuantiles(new Quantile[] {P50, P99, P999});
  private Map<Quantile, Long> shown = Immutable.mapOf();
  private long windowNanos;

  public MediumStats(LongSupplier clockNanos) {
    this.clockNanos = clockNanos;
    this.windowNanos = clockNanos.getAsLong();
  }

  /** A part of a segment was asked of a lane and is ready after so long. */
  public void read(long nanos) {
    latencies.insert(TimeUnit.NANOSECONDS.toMicros(nanos));
    if (nanos >= STALL_NANOS) {
      stalls.increment();
    }
  }

  public void sent(long segmentBytes) {
    segments.increment();
    bytes.add(segmentBytes);
  }

  public long segments() {
    return segments.sum();
  }

  public long bytes() {
    return bytes.sum();
  }

  public long stalls() {
    return stalls.sum();
  }

  /**
   * A quantile of the latency over the last window of ten seconds or more, in microseconds; 0 when
   * nothing was read in it.
   */
  public synchronized long latencyMicros(Quantile quantile) {
    long now = clockNanos.getAsLong();
    if (now - windowNanos >= WINDOW_NANOS) {
      Map<Quantile, Long> snapshot = latencies.snapshot();
      latencies.clear();
      shown = snapshot == null ? Immutable.mapOf() : snapshot;
      windowNanos = now;
    }
    return shown.getOrDefault(quantile, 0L);
  }
}
