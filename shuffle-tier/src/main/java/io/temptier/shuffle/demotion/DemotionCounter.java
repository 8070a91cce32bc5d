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
      "Moves that an error ended, and dirs that could not be read. What was copied was deleted, the"
          + " output stayed where it was. The log names the first error of each dir."),
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
      "Times an output should have been moved and no slower tier had room for it above its"
          + " reserve."),
  /** Clean-up. */
  LEFTOVERS_REMOVED(
      TierCounter.Type.COUNTER,
      TierCounter.Unit.FILES,
      "LeftoversRemoved",
      "Files that a NodeManager which was killed in the middle of a move left, and that were"
          + " removed."),
  /** Processes. */
  HELPER_STARTS(
      TierCounter.Type.COUNTER,
      TierCounter.Unit.EVENTS,
      "HelperStarts",
      "Processes that were started as users, to move their outputs: with the Linux container"
          + " executor alone."),
  /** Trouble with them. */
  HELPER_FAILURES(
      TierCounter.Type.COUNTER,
      TierCounter.Unit.EVENTS,
      "HelperFailures",
      "Such processes that did not start, ended early, were too slow, or talked nonsense; a user"
          + " can bring that about. The log names user and reason."),
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
      "1 while nothing is demoted, whatever the fill; the log says why.");

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
