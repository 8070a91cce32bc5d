// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import io.temptier.tier.LocalDir;
import io.temptier.tier.marker.NodeMarker;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * What the NodeManager says of the traffic of each dir's disk, read again at most every {@link
 * #REFRESH_MILLIS} from the fastest dir that is not set aside. Without a word from it no disk has
 * any. Safe for use by many threads, one of which reads; none waits for it.
 */
final class TrafficNotice {
  /** The NodeManager publishes once a second. */
  static final long REFRESH_MILLIS = 500;

  private record Read(Map<String, Long> bytes, long atMillis) {}

  private final List<DirGauge> gauges;
  private final LongSupplier clockMillis;
  private final AtomicBoolean reading = new AtomicBoolean();
  private volatile Read last = new Read(Map.of(), Long.MIN_VALUE / 2);

  /**
   * A notice.
   *
   * @param gauges of all dirs, fastest first
   * @param clockMillis wall clock
   */
  TrafficNotice(List<DirGauge> gauges, LongSupplier clockMillis) {
    this.gauges = List.copyOf(gauges);
    this.clockMillis = clockMillis;
  }

  /** Bytes that the disk of {@code dir} moved lately or was given to write; 0 when not known. */
  long bytes(LocalDir dir) {
    long now = clockMillis.getAsLong();
    if (Math.abs(now - last.atMillis()) >= REFRESH_MILLIS && reading.compareAndSet(false, true)) {
      try {
        last = new Read(read(now), now);
      } finally {
        reading.set(false);
      }
    }
    return last.bytes().getOrDefault(dir.path().toString(), 0L);
  }

  private Map<String, Long> read(long nowMillis) {
    return gauges.stream()
        .filter(gauge -> !gauge.backoff().waiting())
        .findFirst()
        .map(gauge -> gauge.dir().path().resolve(NodeMarker.DIR).resolve(NodeMarker.TRAFFIC))
        .flatMap(PublishedTraffic::read)
        .filter(traffic -> traffic.fresh(nowMillis))
        .map(PublishedTraffic::bytes)
        .orElse(Map.of());
  }
}
