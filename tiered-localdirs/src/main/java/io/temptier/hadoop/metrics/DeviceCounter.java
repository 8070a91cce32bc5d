// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.metrics;

import static io.temptier.hadoop.metrics.Metric.Definition.eachCounter;
import static io.temptier.hadoop.metrics.Metric.Definition.eachGauge;

/**
 * Every number TempTier tells of a drive below the local dirs. What a drive does not tell is left
 * out. {@code docs/metrics.md} is generated from it.
 */
public enum DeviceCounter implements Metric {
  HUNG(eachGauge("1 while a local dir on the drive does not answer.")),
  SLOW(eachGauge("1 while a local dir on the drive answers slower than the next tier.")),
  AWAIT_MICROS(eachGauge("Mean time of an I/O of any user in the last 30 s, queue included.")),
  IN_FLIGHT(eachGauge("I/Os under way.")),
  IOS(eachCounter("I/Os of all users since the machine's start.")),
  BUSY_MICROS(eachCounter("Time since the machine's start with I/Os under way.")),
  READ_BYTES(eachCounter("Bytes read and written since the machine's start.")),
  WRITTEN_BYTES(eachCounter("Bytes read and written since the machine's start.")),
  WRITTEN_BYTES_PER_DAY(eachGauge("Bytes written a day, on average since the machine's start.")),
  IO_ERRORS(
      eachCounter(
          "I/Os of SCSI and SATA drives that failed since the machine's start; a few mean"
              + " nothing.")),
  WATCH_MICROS(eachGauge("Time of the NodeManager's last own write to a local dir on the drive.")),
  WATCH_ERRORS(
      eachCounter("The NodeManager's own writes that failed: a dir is read-only, full or broken.")),
  USED_PERCENT(
      eachGauge("How much of its rated endurance the drive has used up; may be over 100.")),
  SPARE_PERCENT(eachGauge("How much of the drive's spare blocks is left.")),
  MEDIA_ERRORS(
      eachCounter(
          "Media errors in the drive's life; of SATA drives reallocated, pending and uncorrectable"
              + " sectors.")),
  LIFETIME_WRITTEN_BYTES(eachCounter("Bytes written in the drive's life.")),
  HEALTH_FAILED(eachGauge("1 when the drive says that it is failing."));

  private final Definition definition;

  DeviceCounter(Definition definition) {
    this.definition = definition;
  }

  @Override
  public Definition definition() {
    return definition;
  }
}
