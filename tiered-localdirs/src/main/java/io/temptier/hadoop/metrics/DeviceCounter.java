// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.metrics;

import static io.temptier.hadoop.metrics.Metric.Definition.eachCounter;
import static io.temptier.hadoop.metrics.Metric.Definition.eachGauge;

/**
 * Every number TempTier tells of a drive below the local dirs; {@code docs/metrics.md} is generated
 * from it. node_exporter and smartctl_exporter have the others.
 */
public enum DeviceCounter implements Metric {
  HUNG(eachGauge("1 while a local dir on the drive does not answer.")),
  SLOW(eachGauge("1 while a local dir on the drive answers slower than the next tier.")),
  AWAIT_MICROS(eachGauge("Mean time of an I/O of any user in the last 30 s, queue included.")),
  WATCH_MICROS(eachGauge("Time of the NodeManager's last own write to a local dir on the drive.")),
  WATCH_ERRORS(
      eachCounter("The NodeManager's own writes that failed: a dir is read-only, full or broken."));

  private final Definition definition;

  DeviceCounter(Definition definition) {
    this.definition = definition;
  }

  @Override
  public Definition definition() {
    return definition;
  }
}
