// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.metrics;

import static io.temptier.hadoop.metrics.Metric.Definition.eachCounter;
import static io.temptier.hadoop.metrics.Metric.Definition.eachGauge;

import io.temptier.hadoop.metrics.TierCounter.Unit;

/**
 * Every number TempTier tells of a drive below the local dirs. What a drive does not tell is left
 * out. {@code docs/metrics.md} is generated from it.
 */
public enum DeviceCounter implements Metric {
  HUNG(eachGauge(Unit.FLAG, "Hung"), "1 while a local dir on the drive does not answer."),
  SLOW(
      eachGauge(Unit.FLAG, "Slow"),
      "1 while a local dir on the drive answers slower than the next tier."),
  AWAIT_MICROS(
      eachGauge(Unit.MICROSECONDS, "AwaitMicros"),
      "Mean time of an I/O of any user in the last 30 s, queue included."),
  IN_FLIGHT(eachGauge(Unit.EVENTS, "InFlight"), "I/Os under way."),
  IOS(eachCounter(Unit.EVENTS, "Ios"), "I/Os of all users since the machine's start."),
  BUSY_MICROS(
      eachCounter(Unit.MICROSECONDS, "BusyMicros"),
      "Time since the machine's start with I/Os under way."),
  READ_BYTES(
      eachCounter(Unit.BYTES, "ReadBytes"), "Bytes read and written since the machine's start."),
  WRITTEN_BYTES(
      eachCounter(Unit.BYTES, "WrittenBytes"), "Bytes read and written since the machine's start."),
  WRITTEN_BYTES_PER_DAY(
      eachGauge(Unit.BYTES, "WrittenBytesPerDay"),
      "Bytes written a day, on average since the machine's start."),
  IO_ERRORS(
      eachCounter(Unit.EVENTS, "IoErrors"),
      "I/Os of SCSI and SATA drives that failed since the machine's start; a few mean nothing."),
  WATCH_MICROS(
      eachGauge(Unit.MICROSECONDS, "WatchMicros"),
      "Time of the NodeManager's last own write to a local dir on the drive."),
  WATCH_ERRORS(
      eachCounter(Unit.EVENTS, "WatchErrors"),
      "The NodeManager's own writes that failed: a dir is read-only, full or broken."),
  USED_PERCENT(
      eachGauge(Unit.PERCENT, "UsedPercent"),
      "How much of its rated endurance the drive has used up; may be over 100."),
  SPARE_PERCENT(
      eachGauge(Unit.PERCENT, "SparePercent"), "How much of the drive's spare blocks is left."),
  MEDIA_ERRORS(
      eachCounter(Unit.EVENTS, "MediaErrors"),
      "Media errors in the drive's life; of SATA drives reallocated, pending and uncorrectable"
          + " sectors."),
  LIFETIME_WRITTEN_BYTES(
      eachCounter(Unit.BYTES, "LifetimeWrittenBytes"), "Bytes written in the drive's life."),
  HEALTH_FAILED(eachGauge(Unit.FLAG, "HealthFailed"), "1 when the drive says that it is failing.");

  private final Definition definition;
  private final String doc;

  DeviceCounter(Definition definition, String doc) {
    this.definition = definition;
    this.doc = doc;
  }

  @Override
  public Definition definition() {
    return definition;
  }

  @Override
  public String doc() {
    return doc;
  }
}
