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
 * Every number TempTier tells of a NodeManager: what Metrics2 and JMX call it, what it counts, in
 * what unit. {@code docs/metrics.md} is generated from it.
 */
public enum TierCounter implements Metric {
  FILES_PLACED(
      eachCounter(Unit.FILES, "FilesPlaced"),
      "Files placed on the tier, by the NodeManager and by tasks."),
  BYTES_EXPECTED(
      eachCounter(Unit.BYTES, "BytesExpected"),
      "Bytes promised to the writers of the files placed."),
  FILES_COMPLETED(
      eachCounter(Unit.FILES, "FilesCompleted"),
      "Files of the tier that are complete, or stopped growing."),
  BYTES_PLACED(
      eachCounter(Unit.BYTES, "BytesPlaced"),
      "Bytes written to the tier: sizes of its complete files."),
  FILES_SPILLED_HERE(
      eachCounter(Unit.FILES, "FilesSpilledHere"),
      "Files that every faster tier refused, and their bytes once complete."),
  BYTES_SPILLED_HERE(
      eachCounter(Unit.BYTES, "BytesSpilledHere"),
      "Files that every faster tier refused, and their bytes once complete."),
  FILES_OVER_RESERVE(
      eachCounter(Unit.FILES, "FilesOverReserve"),
      "Files written into the reserve, because no tier had room above it."),
  FILES_REFUSED_FULL(Reason.FULL, "FilesRefusedFull"),
  FILES_REFUSED_CAP(Reason.CAP, "FilesRefusedCap"),
  FILES_REFUSED_LARGE(Reason.LARGE, "FilesRefusedLarge"),
  FILES_REFUSED_APP_SHARE(Reason.APP_SHARE, "FilesRefusedAppShare"),
  FILES_REFUSED_LIMIT(Reason.LIMIT, "FilesRefusedLimit"),
  FILES_REFUSED_INODES(Reason.INODES, "FilesRefusedInodes"),
  FILES_REFUSED_SET_ASIDE(Reason.SET_ASIDE, "FilesRefusedSetAside"),
  FILES_REFUSED_SLOW(Reason.SLOW, "FilesRefusedSlow"),
  FILES_REFUSED_DRAINING(Reason.DRAINING, "FilesRefusedDraining"),
  FILES_REFUSED_RACED(Reason.RACED, "FilesRefusedRaced"),
  BYTES_REFUSED(
      eachCounter(Unit.BYTES, "BytesRefused"), "Expected sizes of the files the tier refused."),
  DIR_ERRORS(
      eachCounter(Unit.EVENTS, "DirErrors"),
      "Times the NodeManager set a dir aside after an error."),
  DIRS(eachGauge(Unit.DIRS, "Dirs"), "Local dirs of the tier."),
  DIRS_FAILED(
      eachGauge(Unit.DIRS, "DirsFailed"),
      "Local dirs that cannot be used now: set aside, missing, hung or not to be written to."),
  DIRS_HUNG(eachGauge(Unit.DIRS, "DirsHung"), "Local dirs that do not answer."),
  DIRS_SLOW(
      eachGauge(Unit.DIRS, "DirsSlow"),
      "Local dirs whose disks answer slower than the next tier's."),
  DIRS_DRAINING(
      eachGauge(Unit.DIRS, "DirsDraining"), "Local dirs being emptied by `temptier drain`."),
  CAPACITY_BYTES(
      eachGauge(Unit.BYTES, "CapacityBytes"),
      "Size of the tier's file systems, each once, or of the dirs' caps where smaller."),
  FREE_BYTES(
      eachGauge(Unit.BYTES, "FreeBytes"),
      "Free bytes of the tier's file systems, reserve and claims included; where caps are smaller,"
          + " what the caps leave above the reserve."),
  RESERVE_BYTES(
      eachGauge(Unit.BYTES, "ReserveBytes"),
      "What `temptier.reserve` keeps free on the tier; 0 where caps are smaller."),
  CLAIMED_BYTES(
      eachGauge(Unit.BYTES, "ClaimedBytes"),
      "Bytes promised to files, by all processes, and not yet written."),
  CLAIMS(
      eachGauge(Unit.FILES, "Claims"),
      "Ledgers that promise bytes: one for each process and application."),
  HEADROOM_BYTES(
      eachGauge(Unit.BYTES, "HeadroomBytes"),
      "Room for new files: free bytes less reserve and claims, within caps."),
  CLAIMS_IGNORED(
      eachGauge(Unit.FILES, "ClaimsIgnored"),
      "Entries of the claims folders that are corrupt, hostile or too many."),
  ACTIVE(
      nodeGauge(Unit.FLAG, "Active"),
      "1 when TempTier places files, 0 when stock Hadoop does. The tag `ModeCause` says why:"
          + " `CONFIGURED`, `SWITCHED_OFF`, `CONFIG_ERROR`, `HADOOP_UNKNOWN`, `START_FAILED`."),
  FILES_SPILLED_DOWN(
      nodeCounter(Unit.FILES, "FilesSpilledDown"),
      "Files that a faster tier refused, and their bytes once complete."),
  BYTES_SPILLED_DOWN(
      nodeCounter(Unit.BYTES, "BytesSpilledDown"),
      "Files that a faster tier refused, and their bytes once complete."),
  STOCK_FALLBACKS(
      nodeCounter(Unit.EVENTS, "StockFallbacks"),
      "Times stock Hadoop decided for the NodeManager. The log has the reason, once."),
  DIRS_LOST(nodeGauge(Unit.DIRS, "DirsLost"), "Local dirs whose disk is not mounted any more."),
  FOLDERS_NOT_LISTED(
      nodeGauge(Unit.DIRS, "FoldersNotListed"),
      "Folders that the NodeManager may not list, under dirs with a cap or `temptier.app-share`:"
          + " all bytes used on their file systems count."),
  CONFIG_ERRORS(
      nodeGauge(Unit.EVENTS, "ConfigErrors"),
      "Errors found in the configuration at start; more than 0 means stock behaviour."),
  CONFIG_WARNINGS(
      nodeGauge(Unit.EVENTS, "ConfigWarnings"), "Warnings found in the configuration at start."),
  ROOTS_RESTORED(
      nodeCounter(Unit.EVENTS, "RootsRestored"),
      "Times a local dir that had vanished or was emptied was set up again."),
  UPKEEP_ERRORS(
      nodeCounter(Unit.EVENTS, "UpkeepErrors"),
      "Times the upkeep of a local dir's `.temptier` folder failed."),
  JOURNAL_LINES(
      nodeCounter(Unit.LINES, "JournalLines"),
      "Lines of tasks' placement journals that were counted."),
  JOURNAL_LINES_IGNORED(
      nodeCounter(Unit.LINES, "JournalLinesIgnored"),
      "Lines of tasks' placement journals that are torn, corrupt or hostile."),
  JOURNAL_LINES_DROPPED(
      nodeCounter(Unit.LINES, "JournalLinesDropped"),
      "Lines the NodeManager could not write to its own placement journal."),
  ORPHANS_DELETED(
      nodeCounter(Unit.FILES, "OrphansDeleted"),
      "Spark's files on a slower disk that were deleted because no link led to them."),
  BLOCKS_DEMOTED(
      nodeCounter(Unit.FILES, "BlocksDemoted"),
      "Spark's blocks that were moved down, and their bytes."),
  BLOCK_BYTES_DEMOTED(
      nodeCounter(Unit.BYTES, "BlockBytesDemoted"),
      "Spark's blocks that were moved down, and their bytes.");

  /** What a number is of. */
  public enum Scope {
    /** One tier: source {@code TempTier-<MEDIUM>}; or one medium, drive or gateway. */
    TIER,
    /** The whole node: source {@code TempTier}. */
    NODE
  }

  /** How a number moves. */
  public enum Type {
    /** Only up, from 0 at the start of the NodeManager. */
    COUNTER,
    /** Up and down. */
    GAUGE
  }

  /** What is counted. */
  public enum Unit {
    /** Bytes. */
    BYTES,
    /** Files. */
    FILES,
    /** Local dirs. */
    DIRS,
    /** Lines. */
    LINES,
    /** Occurrences. */
    EVENTS,
    /** Accounts. */
    USERS,
    /** Time. */
    MICROSECONDS,
    /** Hundredths. */
    PERCENT,
    /** 0 or 1. */
    FLAG
  }

  private final Definition definition;
  private final String doc;
  private final @Nullable Reason reason;

  TierCounter(Definition definition, String doc) {
    this.definition = definition;
    this.doc = doc;
    this.reason = null;
  }

  TierCounter(Reason reason, String attribute) {
    this.definition = eachCounter(Unit.FILES, attribute);
    this.doc = "Files the tier refused because " + reason.text() + ".";
    this.reason = reason;
  }

  @Override
  public Definition definition() {
    return definition;
  }

  @Override
  public String doc() {
    return doc;
  }

  /** The numbers of one scope, in the order to show them. */
  public static List<TierCounter> of(Scope scope) {
    return Arrays.stream(values())
        .filter(counter -> counter.scope() == scope)
        .collect(Immutable.toList());
  }

  /**
   * The counter of the files a tier refused for {@code reason}; empty for reasons of no refusal.
   */
  public static Optional<TierCounter> refusedFor(Reason reason) {
    return Arrays.stream(values()).filter(counter -> counter.reason == reason).findFirst();
  }
}
