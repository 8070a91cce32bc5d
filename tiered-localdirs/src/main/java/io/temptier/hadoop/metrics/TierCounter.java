// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.metrics;

import io.temptier.tier.Reason;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Every number TempTier tells of a NodeManager: what Metrics2 and JMX call it, what it counts, in
 * what unit. {@code docs/metrics.md} is generated from it.
 */
public enum TierCounter implements Metric {
  /** Files a tier was chosen for. */
  FILES_PLACED(
      Scope.TIER,
      Type.COUNTER,
      Unit.FILES,
      "FilesPlaced",
      "Files that went to the tier, by the NodeManager and by tasks."),
  /** Expected bytes of those files. */
  BYTES_EXPECTED(
      Scope.TIER,
      Type.COUNTER,
      Unit.BYTES,
      "BytesExpected",
      "Expected sizes of the files placed, as promised to their writers."),
  /** Files that are complete. */
  FILES_COMPLETED(
      Scope.TIER,
      Type.COUNTER,
      Unit.FILES,
      "FilesCompleted",
      "Files of the tier that are complete, or stopped growing."),
  /** Real bytes of complete files. */
  BYTES_PLACED(
      Scope.TIER,
      Type.COUNTER,
      Unit.BYTES,
      "BytesPlaced",
      "Real sizes of the tier's complete files: what was written to it."),
  /** Files that came down to this tier. */
  FILES_SPILLED_HERE(
      Scope.TIER,
      Type.COUNTER,
      Unit.FILES,
      "FilesSpilledHere",
      "Files that went to this tier because every faster one refused them."),
  /** Real bytes of complete files that came down to this tier. */
  BYTES_SPILLED_HERE(
      Scope.TIER,
      Type.COUNTER,
      Unit.BYTES,
      "BytesSpilledHere",
      "Real sizes of those files, once complete."),
  /** Files put here although no tier had room. */
  FILES_OVER_RESERVE(
      Scope.TIER,
      Type.COUNTER,
      Unit.FILES,
      "FilesOverReserve",
      "Files written into the reserve, as stock Hadoop would, because no tier had room above it."),
  /** Files the tier refused, being full. */
  FILES_REFUSED_FULL(Reason.FULL, "FilesRefusedFull"),
  /** Files the tier refused, its dirs' caps being reached. */
  FILES_REFUSED_CAP(Reason.CAP, "FilesRefusedCap"),
  /** Files the tier refused, since they may be large. */
  FILES_REFUSED_LARGE(Reason.LARGE, "FilesRefusedLarge"),
  /** Files the tier refused an application. */
  FILES_REFUSED_APP_SHARE(Reason.APP_SHARE, "FilesRefusedAppShare"),
  /** Files the tier refused for want of inodes. */
  FILES_REFUSED_INODES(Reason.INODES, "FilesRefusedInodes"),
  /** Files the tier refused, its dirs being set aside. */
  FILES_REFUSED_SET_ASIDE(Reason.SET_ASIDE, "FilesRefusedSetAside"),
  /** Files the tier refused, its dirs being slow. */
  FILES_REFUSED_SLOW(Reason.SLOW, "FilesRefusedSlow"),
  /** Files the tier refused, its dirs being emptied. */
  FILES_REFUSED_DRAINING(Reason.DRAINING, "FilesRefusedDraining"),
  /** Files the tier refused, others having been first. */
  FILES_REFUSED_RACED(Reason.RACED, "FilesRefusedRaced"),
  /** Expected bytes of the files refused. */
  BYTES_REFUSED(
      Scope.TIER,
      Type.COUNTER,
      Unit.BYTES,
      "BytesRefused",
      "Expected sizes of all the files the tier refused; a file of unknown size counts as"
          + " `temptier.unknown-size`."),
  /** Errors of dirs. */
  DIR_ERRORS(
      Scope.TIER,
      Type.COUNTER,
      Unit.EVENTS,
      "DirErrors",
      "Times a dir of the tier failed the NodeManager and was set aside for a while."),
  /** Dirs. */
  DIRS(Scope.TIER, Type.GAUGE, Unit.DIRS, "Dirs", "Local dirs of the tier."),
  /** Dirs that cannot be read now. */
  DIRS_FAILED(
      Scope.TIER,
      Type.GAUGE,
      Unit.DIRS,
      "DirsFailed",
      "Local dirs of the tier that cannot be used at the moment: set aside, missing or hung."),
  /** Dirs that answer slower than the tier below. */
  DIRS_SLOW(
      Scope.TIER,
      Type.GAUGE,
      Unit.DIRS,
      "DirsSlow",
      "Local dirs of the tier whose disks answer slower than the next tier's, so that new files"
          + " avoid them. The log has the figures."),
  /** Size. */
  CAPACITY_BYTES(
      Scope.TIER,
      Type.GAUGE,
      Unit.BYTES,
      "CapacityBytes",
      "Size of the tier: of its file systems, each once, or of the dirs' caps where smaller."),
  /** Free. */
  FREE_BYTES(
      Scope.TIER,
      Type.GAUGE,
      Unit.BYTES,
      "FreeBytes",
      "What the tier's file systems would still take, reserve and claims included; where"
          + " caps are smaller, what they leave above the reserve."),
  /** Reserve. */
  RESERVE_BYTES(
      Scope.TIER,
      Type.GAUGE,
      Unit.BYTES,
      "ReserveBytes",
      "What `temptier.reserve` keeps free on the tier's file systems; 0 where caps are"
          + " smaller."),
  /** Claimed. */
  CLAIMED_BYTES(
      Scope.TIER,
      Type.GAUGE,
      Unit.BYTES,
      "ClaimedBytes",
      "Bytes promised to files being written, by all processes, and not yet written."),
  /** Claims. */
  CLAIMS(
      Scope.TIER,
      Type.GAUGE,
      Unit.FILES,
      "Claims",
      "Files being written for which room is claimed."),
  /** Headroom. */
  HEADROOM_BYTES(
      Scope.TIER,
      Type.GAUGE,
      Unit.BYTES,
      "HeadroomBytes",
      "Room for new files: free less reserve and claims, within caps, in the roomiest dir"
          + " of each file system."),
  /** Hostile claims. */
  CLAIMS_IGNORED(
      Scope.TIER,
      Type.GAUGE,
      Unit.FILES,
      "ClaimsIgnored",
      "Entries of the claims folders that are not believed: corrupt, hostile or too many."),
  /** Whether TempTier places. */
  ACTIVE(
      Scope.NODE,
      Type.GAUGE,
      Unit.FLAG,
      "Active",
      "1 when TempTier places the NodeManager's files, 0 on stock behaviour. The tag"
          + " `ModeCause` says why: `CONFIGURED`, `SWITCHED_OFF`, `CONFIG_ERROR`, `HADOOP_UNKNOWN`"
          + " or `START_FAILED`."),
  /** All files that did not get the fastest tier. */
  FILES_SPILLED_DOWN(
      Scope.NODE,
      Type.COUNTER,
      Unit.FILES,
      "FilesSpilledDown",
      "Files that a faster tier refused, over all tiers."),
  /** Their real bytes. */
  BYTES_SPILLED_DOWN(
      Scope.NODE,
      Type.COUNTER,
      Unit.BYTES,
      "BytesSpilledDown",
      "Real sizes of the complete files that a faster tier refused, over all tiers."),
  /** Fallbacks. */
  STOCK_FALLBACKS(
      Scope.NODE,
      Type.COUNTER,
      Unit.EVENTS,
      "StockFallbacks",
      "Times the NodeManager handed a decision to stock Hadoop. The log has the reason,"
          + " once."),
  /** Lost mounts. */
  DIRS_LOST(
      Scope.NODE,
      Type.GAUGE,
      Unit.DIRS,
      "DirsLost",
      "Local dirs whose disk is not mounted any more; nothing is placed there. `status` and"
          + " the log have the remedy."),
  /** What walks cannot see. */
  FOLDERS_NOT_LISTED(
      Scope.NODE,
      Type.GAUGE,
      Unit.DIRS,
      "FoldersNotListed",
      "Folders that the NodeManager's user may not list, under dirs with a cap or with"
          + " `temptier.app-share`: all that is used on their file systems counts."),
  /** Findings of severity ERROR. */
  CONFIG_ERRORS(
      Scope.NODE,
      Type.GAUGE,
      Unit.EVENTS,
      "ConfigErrors",
      "Errors found in the configuration at start; more than 0 means stock behaviour."),
  /** Findings of severity WARNING. */
  CONFIG_WARNINGS(
      Scope.NODE,
      Type.GAUGE,
      Unit.EVENTS,
      "ConfigWarnings",
      "Warnings found in the configuration at start."),
  /** Roots set up anew. */
  ROOTS_RESTORED(
      Scope.NODE,
      Type.COUNTER,
      Unit.EVENTS,
      "RootsRestored",
      "Times a local dir that had vanished or was emptied was set up again."),
  /** Failures of the upkeep. */
  UPKEEP_ERRORS(
      Scope.NODE,
      Type.COUNTER,
      Unit.EVENTS,
      "UpkeepErrors",
      "Times the upkeep of a local dir's `.temptier` folder failed."),
  /** Journal lines read. */
  JOURNAL_LINES(
      Scope.NODE,
      Type.COUNTER,
      Unit.LINES,
      "JournalLines",
      "Lines of tasks' placement journals that were counted."),
  /** Journal lines ignored. */
  JOURNAL_LINES_IGNORED(
      Scope.NODE,
      Type.COUNTER,
      Unit.LINES,
      "JournalLinesIgnored",
      "Lines of tasks' placement journals that made no sense: torn, corrupt or hostile."),
  /** Own journal lines dropped. */
  JOURNAL_LINES_DROPPED(
      Scope.NODE,
      Type.COUNTER,
      Unit.LINES,
      "JournalLinesDropped",
      "Lines the NodeManager could not write to its own placement journal."),
  /** Files of Spark deleted that no link led to. */
  ORPHANS_DELETED(
      Scope.NODE,
      Type.COUNTER,
      Unit.FILES,
      "OrphansDeleted",
      "Files of Spark on a slower disk that were deleted, since no link led to them.");

  /** What a number is of. */
  public enum Scope {
    /** One tier: source {@code TempTier-<MEDIUM>}. */
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
    /** 0 or 1. */
    FLAG
  }

  private final Scope scope;
  private final Type type;
  private final Unit unit;
  private final String attribute;
  private final String doc;

  TierCounter(Scope scope, Type type, Unit unit, String attribute, String doc) {
    this.scope = scope;
    this.type = type;
    this.unit = unit;
    this.attribute = attribute;
    this.doc = doc;
  }

  TierCounter(Reason reason, String attribute) {
    this(
        Scope.TIER,
        Type.COUNTER,
        Unit.FILES,
        attribute,
        "Files the tier refused because " + reason.text() + ".");
  }

  /** Whether it is of one tier or of the node. */
  public Scope scope() {
    return scope;
  }

  @Override
  public Type type() {
    return type;
  }

  @Override
  public Unit unit() {
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

  /** The numbers of one scope, in the order to show them. */
  public static List<TierCounter> of(Scope scope) {
    return Arrays.stream(values()).filter(counter -> counter.scope == scope).toList();
  }

  /**
   * The counter of the files a tier refused for {@code reason}; empty for reasons of no refusal.
   */
  public static Optional<TierCounter> refusedFor(Reason reason) {
    return switch (reason) {
      case FULL -> Optional.of(FILES_REFUSED_FULL);
      case CAP -> Optional.of(FILES_REFUSED_CAP);
      case LARGE -> Optional.of(FILES_REFUSED_LARGE);
      case APP_SHARE -> Optional.of(FILES_REFUSED_APP_SHARE);
      case INODES -> Optional.of(FILES_REFUSED_INODES);
      case SET_ASIDE -> Optional.of(FILES_REFUSED_SET_ASIDE);
      case SLOW -> Optional.of(FILES_REFUSED_SLOW);
      case DRAINING -> Optional.of(FILES_REFUSED_DRAINING);
      case RACED -> Optional.of(FILES_REFUSED_RACED);
      case FASTEST, ROUND_ROBIN, OVER_RESERVE -> Optional.empty();
    };
  }
}
