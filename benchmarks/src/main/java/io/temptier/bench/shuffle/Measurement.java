// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import io.temptier.bench.testbed.DiskReads;
import org.jspecify.annotations.Nullable;

/**
 * One handler in one scenario, once.
 *
 * @param main the fetchers that are looked at: those on the fast disk if there are any
 * @param beside those on the slow disk beside them, if there are any
 * @param slowReads what the slow disk was asked for meanwhile, or null when nobody counts it
 * @param cores how many the handler kept busy on average, the kernel's work for it included
 * @param peakMemoryBytes the most memory of the handler's JVM that was resident meanwhile
 * @param peakDirectBytes the most memory of direct buffers since that JVM's start
 */
record Measurement(
    Tally main,
    @Nullable Tally beside,
    @Nullable DiskReads slowReads,
    double cores,
    long peakMemoryBytes,
    long peakDirectBytes) {
  /** Microseconds of CPU that the handler spent on a fetch. */
  double cpuMicrosPerFetch() {
    double fetches = main.fetchesPerSecond() + (beside == null ? 0 : beside.fetchesPerSecond());
    return cores * 1e6 / fetches;
  }
}
