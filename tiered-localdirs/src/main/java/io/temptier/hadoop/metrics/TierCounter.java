// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.metrics;

import static io.temptier.hadoop.metrics.Metric.Definition.eachCounter;
import static io.temptier.hadoop.metrics.Metric.Definition.eachGauge;
import static io.temptier.hadoop.metrics.Metric.Definition.nodeCounter;
import static io.temptier.hadoop.metrics.Metric.Definition.nodeGauge;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.policy.Reason;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Every number TempTier tells of a NodeManager: what Metrics2 and JMX call it, and what it counts.
 * {@code docs/metrics.md} is generated from it.
 */
public enum TierCounter implements Metric {
  FILES_PLACED(eachCounter("Files placed on the tier, by the NodeManager and by tasks.")),
  BYTES_PLACED(eachCounter("Bytes written to the tier: sizes of its complete files.")),
  FILES_SPILLED_HERE(
      eachCounter("Files that every faster tier refused, and their bytes once complete.")),
  BYTES_SPILLED_HERE(
      eachCounter("Files that every faster tier refused, and their bytes once complete.")),
  FILES_OVER_RESERVE(
      eachCounter("Files written into the reserve, because no tier had room above it.")),
  FILES_REFUSED_FULL(Reason.FULL),
  FILES_REFUSED_CAP(Reason.CAP),
  FILES_REFUSED_LARGE(Reason.LARGE),
  FILES_REFUSED_LIMIT(Reason.LIMIT),
  FILES_REFUSED_INODES(Reason.INODES),
  FILES_REFUSED_SET_ASIDE(Reason.SET_ASIDE),
  FILES_REFUSED_SLOW(Reason.SLOW),
  FILES_REFUSED_DRAINING(Reason.DRAINING),
  FILES_REFUSED_RACED(Reason.RACED),
  DIR_ERRORS(eachCounter("Times the NodeManager set a dir aside after an error.")),
  DIRS(eachGauge("Local dirs of the tier.")),
  DIRS_FAILED(
      eachGauge(
          "Local dirs that cannot be used now: set aside, missing, hung or not to be written to.")),
  DIRS_HUNG(eachGauge("Local dirs that do not answer.")),
  DIRS_SLOW(eachGauge("Local dirs whose disks answer slower than the next tier's.")),
  DIRS_DRAINING(eachGauge("Local dirs being emptied by `temptier drain`.")),
  CAPACITY_BYTES(
      eachGauge("Size of the tier's file systems, each once, or of the dirs' caps where smaller.")),
  FREE_BYTES(
      eachGauge(
          "Free bytes of the tier's file systems, reserve and claims included; where caps are"
              + " smaller, what the caps leave above the reserve.")),
  RESERVE_BYTES(
      eachGauge("What `temptier.reserve` keeps free on the tier; 0 where caps are smaller.")),
  CLAIMED_BYTES(eachGauge("Bytes promised to files, by all processes, and not yet written.")),
  CLAIMS(eachGauge("Ledgers that promise bytes: one for each process.")),
  HEADROOM_BYTES(eachGauge("Room for new files: free bytes less reserve and claims, within caps.")),
  CLAIMS_IGNORED(eachGauge("Entries of the claims folders that are corrupt, hostile or too many.")),
  ACTIVE(
      nodeGauge(
          "1 when TempTier places files, 0 when stock Hadoop does. The tag `ModeCause` says why:"
              + " `CONFIGURED`, `SWITCHED_OFF`, `CONFIG_ERROR`, `HADOOP_UNKNOWN`,"
              + " `START_FAILED`.")),
  FILES_SPILLED_DOWN(
      nodeCounter("Files that a faster tier refused, and their bytes once complete.")),
  BYTES_SPILLED_DOWN(
      nodeCounter("Files that a faster tier refused, and their bytes once complete.")),
  STOCK_FALLBACKS(
      nodeCounter("Times stock Hadoop decided for the NodeManager. The log has the reason, once.")),
  DIRS_LOST(nodeGauge("Local dirs whose disk is not mounted any more.")),
  FOLDERS_NOT_LISTED(
      nodeGauge(
          "Folders that the NodeManager may not list, under dirs with a cap: all bytes used on"
              + " their file systems count.")),
  CONFIG_ERRORS(
      nodeGauge("Errors found in the configuration at start; more than 0 means stock behaviour.")),
  CONFIG_WARNINGS(nodeGauge("Warnings found in the configuration at start.")),
  ROOTS_RESTORED(
      nodeCounter("Times a local dir that had vanished or was emptied was set up again.")),
  UPKEEP_ERRORS(nodeCounter("Times the upkeep of a local dir's `.temptier` folder failed.")),
  JOURNAL_LINES_IGNORED(
      nodeCounter("Lines of tasks' placement journals that are torn, corrupt or hostile.")),
  JOURNAL_LINES_DROPPED(
      nodeCounter("Lines the NodeManager could not write to its own placement journal.")),
  MAPREDUCE_TASKS(
      nodeCounter("Tasks of MapReduce that succeeded, of applications that have left the node.")),
  MAPREDUCE_TASKS_STOCK(
      nodeCounter(
          "Those of them of whose application no task wrote a placement journal: their class path"
              + " has no TempTier.")),
  ORPHANS_DELETED(
      nodeCounter("Spark's files on a slower disk that were deleted because no link led to them.")),
  BLOCKS_DEMOTED(nodeCounter("Spark's blocks that were moved down, and their bytes.")),
  BLOCK_BYTES_DEMOTED(nodeCounter("Spark's blocks that were moved down, and their bytes."));

  public enum Scope {
    /** Belongs to a tier: source {@code TempTier-<MEDIUM>}; or to a medium, drive or gateway. */
    TIER,
    NODE
  }

  public enum Type {
    /** Goes only up, from 0 at the start of the NodeManager. */
    COUNTER,
    GAUGE
  }

  private final Definition definition;
  private final @Nullable Reason reason;

  TierCounter(Definition definition) {
    this.definition = definition;
    this.reason = null;
  }

  TierCounter(Reason reason) {
    this.definition = eachCounter("Files the tier refused because " + reason.text() + ".");
    this.reason = reason;
  }

  @Override
  public Definition definition() {
    return definition;
  }

  public static List<TierCounter> of(Scope scope) {
    return Arrays.stream(values())
        .filter(counter -> counter.definition.scope() == scope)
        .collect(Immutable.toList());
  }

  /** Counter of files that a tier refused for {@code reason}; empty for reasons of no refusal. */
  public static Optional<TierCounter> refusedFor(Reason reason) {
    return Arrays.stream(values()).filter(counter -> counter.reason == reason).findFirst();
  }
}
