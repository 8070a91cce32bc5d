// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.hadoop.metrics.Metric;
import io.temptier.hadoop.metrics.TierCounter;

/** Every number of demotion on a node: what JMX calls it, what it counts, in what unit. */
public enum DemotionCounter implements Metric {
  /** Outputs moved. */
  FILES_DEMOTED(
      TierCounter.Type.COUNTER,
      TierCounter.Unit.FILES,
      "FilesDemoted",
      "Map outputs that were moved to a slower tier. They stay counted where they were placed."),
  /** Their bytes. */
  BYTES_DEMOTED(
      TierCounter.Type.COUNTER,
      TierCounter.Unit.BYTES,
      "BytesDemoted",
      "Bytes of the map outputs that were moved to a slower tier."),
  /** Errors. */
  DEMOTION_FAILURES(
      TierCounter.Type.COUNTER,
      TierCounter.Unit.EVENTS,
      "DemotionFailures",
      "Moves that an error ended, and dirs that could not be read. The outputs stay where"
          + " they were. The log names the first error of each dir."),
  /** Moves given up. */
  DEMOTIONS_GIVEN_UP(
      TierCounter.Type.COUNTER,
      TierCounter.Unit.EVENTS,
      "DemotionsGivenUp",
      "Moves given up without an error: the application ended, the output changed, or shuffle reads"
          + " kept the slower disk busy."),
  /** No room. */
  DEMOTION_NO_ROOM(
      TierCounter.Type.COUNTER,
      TierCounter.Unit.EVENTS,
      "DemotionNoRoom",
      "Times no slower tier had room above its reserve for an output that should move."),
  /** Clean-up. */
  LEFTOVERS_REMOVED(
      TierCounter.Type.COUNTER,
      TierCounter.Unit.FILES,
      "LeftoversRemoved",
      "Files removed that a NodeManager killed in the middle of a move had left."),
  /** Processes. */
  HELPER_STARTS(
      TierCounter.Type.COUNTER,
      TierCounter.Unit.EVENTS,
      "HelperStarts",
      "Processes started as users to move their outputs, with the Linux container executor."),
  /** Trouble with them. */
  HELPER_FAILURES(
      TierCounter.Type.COUNTER,
      TierCounter.Unit.EVENTS,
      "HelperFailures",
      "Those that did not start, ended early, were too slow or said nonsense, which a user"
          + " can bring about. The log names user and reason."),
  /** Who waits. */
  USERS_SET_ASIDE(
      TierCounter.Type.GAUGE,
      TierCounter.Unit.USERS,
      "UsersSetAside",
      "Users whose outputs stay where they are for a while, after such a failure."),
  /** A move under way. */
  DEMOTION_RUNNING(
      TierCounter.Type.GAUGE,
      TierCounter.Unit.FLAG,
      "DemotionRunning",
      "1 while an output is being moved."),
  /** Waiting. */
  DEMOTION_PAUSED(
      TierCounter.Type.GAUGE,
      TierCounter.Unit.FLAG,
      "DemotionPaused",
      "1 while the move of an output waits for shuffle reads of the slower disk."),
  /** Off. */
  DEMOTION_OFF(
      TierCounter.Type.GAUGE,
      TierCounter.Unit.FLAG,
      "DemotionOff",
      "1 while nothing is ever demoted; the log says why.");

  private final TierCounter.Type type;
  private final TierCounter.Unit unit;
  private final String attribute;
  private final String doc;

  DemotionCounter(TierCounter.Type type, TierCounter.Unit unit, String attribute, String doc) {
    this.type = type;
    this.unit = unit;
    this.attribute = attribute;
    this.doc = doc;
  }

  @Override
  public TierCounter.Type type() {
    return type;
  }

  @Override
  public TierCounter.Unit unit() {
    return unit;
  }

  @Override
  public String attribute() {
    return attribute;
  }

  @Override
  public String doc() {
    return doc;
  }
}
