// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.metrics;

/** A number shown through Metrics2 and JMX: its name, what it counts, in what unit. */
public interface Metric {
  /** Whether it only grows. */
  TierCounter.Type type();

  /** What is counted. */
  TierCounter.Unit unit();

  /** Its name in JMX, Metrics2 and JSON. */
  String attribute();

  /** What it says, in one or two sentences of Markdown. */
  String doc();
}
