// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static io.temptier.hadoop.metrics.Metric.Definition.nodeCounter;
import static io.temptier.hadoop.metrics.Metric.Definition.nodeGauge;

import io.temptier.hadoop.metrics.Metric;

/** Every number of demotion on a node: what JMX calls it, and what it counts. */
public enum DemotionCounter implements Metric {
  FILES_DEMOTED(nodeCounter(DemotionCounter.MOVED)),
  BYTES_DEMOTED(nodeCounter(DemotionCounter.MOVED)),
  DEMOTION_FAILURES(
      nodeCounter(
          "Moves that an error ended, and dirs that could not be read. The log names the first"
              + " error of each dir.")),
  DEMOTIONS_GIVEN_UP(
      nodeCounter(
          "Moves given up without an error: the application ended, the output changed, or shuffle"
              + " reads kept the slower disk busy.")),
  DEMOTION_NO_ROOM(
      nodeCounter(
          "Times no slower tier had room above its reserve for an output that should move.")),
  LEFTOVERS_REMOVED(nodeCounter("Files removed that a NodeManager killed during a move had left.")),
  HELPER_STARTS(
      nodeCounter(
          "Helpers started under the Linux container executor: users' processes, each of which"
              + " moves a batch of outputs.")),
  HELPER_FAILURES(
      nodeCounter(
          "Helpers that moved nothing, though nobody stopped them. The log names user and"
              + " reason.")),
  DEMOTION_RUNNING(nodeGauge("1 while an output is being moved.")),
  DEMOTION_PAUSED(
      nodeGauge("1 while the move of an output waits for shuffle reads of the slower disk.")),
  DEMOTION_OFF(nodeGauge("1 while demotion is off; the log says why."));

  private static final String MOVED =
      "Map outputs moved to a slower tier, and their bytes. They stay counted where they were"
          + " placed.";

  private final Definition definition;

  DemotionCounter(Definition definition) {
    this.definition = definition;
  }

  @Override
  public Definition definition() {
    return definition;
  }
}
