// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import com.codahale.metrics.MetricRegistry;
import io.temptier.tier.LocalDir;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.PlacementRequest;

/**
 * Counts an executor's files in Spark's own metrics, as {@code
 * plugin.io.temptier.spark.TierPlugin.NAME}: {@code files.NVME} and {@code bytes.NVME} for each
 * medium, {@code spilled-down.files} and {@code .bytes} of what a faster tier refused. Bytes count
 * when a file is complete. Safe for use by many threads.
 */
final class BlockMetrics implements PlacementListener {
  private final MetricRegistry registry;

  BlockMetrics(MetricRegistry registry) {
    this.registry = registry;
    // Spark has no source for a plugin whose registry is empty at its start.
    for (String name :
        Immutable.listOf("dirs-failed", "demoted.files", "demoted.bytes", "spilled-down.files")) {
      registry.counter(name);
    }
  }

  @Override
  public void placed(PlacementRequest request, Placement placement) {
    count(placement, "files", 1);
  }

  @Override
  public void settled(PlacementRequest request, Placement placement, long bytes) {
    count(placement, "bytes", bytes);
  }

  @Override
  public void dirFailed(LocalDir dir, String error) {
    registry.counter("dirs-failed").inc();
  }

  void demoted(long bytes) {
    registry.counter("demoted.files").inc();
    registry.counter("demoted.bytes").inc(bytes);
  }

  private void count(Placement placement, String what, long number) {
    registry.counter(what + "." + placement.dir().medium()).inc(number);
    if (placement.spilledDown()) {
      registry.counter("spilled-down." + what).inc(number);
    }
  }
}
