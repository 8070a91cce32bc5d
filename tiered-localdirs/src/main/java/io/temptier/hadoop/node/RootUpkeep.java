// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import io.temptier.tier.claim.ClaimSweep;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.MountGuard;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.InodeCounts;
import io.temptier.tier.room.CapUsage;
import io.temptier.tier.room.DirectoryUsage;
import io.temptier.tier.room.PublishedState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps TempTier's folder under one local dir root as tasks need it: the marker, the folder of
 * claims, and the published state. A root that vanished is left alone, since the disk it belongs on
 * may not be mounted; when it is back, empty or not, it is set up again.
 *
 * <p>{@link #publish} is used by one thread at a time, {@link #measure} too, and maybe another.
 */
public final class RootUpkeep {
  private static final Logger LOG = LoggerFactory.getLogger(RootUpkeep.class);

  @AutoValue
  abstract static class DirCondition {
    abstract LocalDir dir();

    /** Set if its disk is not mounted; with the remedy. */
    abstract Optional<String> whyLost();

    /** Reason why it, or TempTier's folder in it, cannot be used; with the remedy if known. */
    abstract Optional<String> trouble();

    /** Folders in it whose bytes cannot be counted. */
    abstract long foldersNotListed();

    /** Claims in it that were deleted since the start, by user. */
    abstract List<ClaimSweep.Swept> claimsDeleted();

    static DirCondition of(
        LocalDir dir,
        Optional<String> whyLost,
        Optional<String> trouble,
        long foldersNotListed,
        List<ClaimSweep.Swept> claimsDeleted) {
      return new AutoValue_RootUpkeep_DirCondition(
          dir, whyLost, trouble, foldersNotListed, claimsDeleted);
    }
  }

  private static final int EVERYBODYS_MODE = 01777;

  private static final FileAttribute<?> NOBODYS =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /** Folders and modes that ResourceLocalizationService.initializeLocalDir makes. */
  private static final Map<String, Integer> STOCK_FOLDERS =
      Immutable.mapOf("usercache", 0755, "filecache", 0755, "nmPrivate", 0700);

  /** Inodes are used up slowly; asking for them costs a process. */
  static final long INODES_MILLIS = 10_000;

  private static final long SHORTEST_WALK_REST_MILLIS = 1_000;

  private final LocalDir dir;
  private final NodeTiers tiers;
  private final Function<Path, InodeCounts> inodeCounts;
  private final LongSupplier clockMillis;
  private final Path folder;
  private final Path marker;
  private final Path state;
  private final MountGuard mount;
  private final ClaimSweep sweep;

  private boolean setUp;
  private boolean cleared;
  private boolean wasLost;
  private volatile long notListed;
  private volatile Optional<String> whyLost = Optional.empty();
  private volatile Optional<String> trouble = Optional.empty();
  private volatile boolean inOrder;
  private @Nullable FileStamp markerRead;
  private long inodesMillis = Long.MIN_VALUE / 2;
  private InodeCounts inodes = InodeCounts.UNBOUNDED;
  private long walkEndedMillis = Long.MIN_VALUE / 2;
  private long walkTookMillis;
  private DirectoryUsage.Usage usage = DirectoryUsage.Usage.UNKNOWN;

  public RootUpkeep(
      LocalDir dir,
      NodeTiers tiers,
      Function<Path, InodeCounts> inodeCounts,
      LongSupplier clockMillis) {
    this.dir = dir;
    this.tiers = tiers;
    this.inodeCounts = inodeCounts;
    this.clockMillis = clockMillis;
    this.mount = new MountGuard(dir);
    this.sweep = new ClaimSweep(dir.path(), clockMillis);
    this.folder = dir.path().resolve(NodeMarker.DIR);
    this.marker = folder.resolve(NodeMarker.LAYOUT);
    this.state = folder.resolve(NodeMarker.STATE);
  }

  LocalDir dir() {
    return dir;
  }

  ClaimSweep sweep() {
    return sweep;
  }

  /** Notes what is wrong with the dir, or that nothing is; returns whether that is news. */
  boolean trouble(Optional<String> problem) {
    boolean news = !problem.equals(trouble);
    trouble = problem;
    return news;
  }

  DirCondition condition() {
    return DirCondition.of(dir, whyLost, trouble, notListed, sweep.swept());
  }

  /**
   * Puts back what is not in place; true if anything that was there before was not. Leaves a root
   * alone that is lost or absent, and throws, with the remedy, when it cannot be put in order.
   */
  public boolean publish() throws IOException {
    inOrder = false;
    whyLost = mount.whyLost();
    if (whyLost.isPresent()) {
      wasLost = true;
      return false;
    }
    if (Files.notExists(dir.path())) {
      return false;
    }
    if ((setUp || wasLost) && !Files.exists(folder, NOFOLLOW_LINKS)) {
      // Before our own folder, whose absence keeps files away from the root.
      restoreStockFolders();
    }
    // The folder's owner counts: where the dir is a link, the link may be root's.
    int owner = (Integer) Files.getAttribute(dir.path(), "unix:uid");
    boolean restored = NodeMarker.ensureFolder(folder, 0755, owner);
    restored |= NodeMarker.ensureFolder(folder.resolve(NodeMarker.CLAIMS), EVERYBODYS_MODE, owner);
    restored |= ensureMarker();
    cleared = cleared || NodeMarker.removeUnfinished(folder);
    boolean again = setUp && restored;
    setUp = true;
    wasLost = false;
    inOrder = true;
    return again;
  }

  /** True unless the last {@link #publish} found the root lost or absent, or failed. */
  boolean inOrder() {
    return inOrder;
  }

  /** Tells why the root's disk counts as lost, and the remedy; empty when it does not. No I/O. */
  public Optional<String> whyLost() {
    return whyLost;
  }

  /**
   * Measures what is due and publishes it for tasks. Does nothing while the folder is not in order.
   *
   * @throws IOException when it cannot be written, such as on a full disk; tasks then measure for
   *     themselves
   */
  public void measure() throws IOException {
    // Nothing is written to a folder that somebody else may have planted.
    if (!inOrder) {
      return;
    }
    long now = clockMillis.getAsLong();
    boolean changed = !Files.exists(state, NOFOLLOW_LINKS);
    // True, too, when the clock was set back.
    if (Math.abs(now - inodesMillis) >= INODES_MILLIS) {
      inodes = inodeCounts.apply(dir.path());
      inodesMillis = now;
      changed = true;
    }
    long rest = Math.max(SHORTEST_WALK_REST_MILLIS, walkTookMillis * CapUsage.REST_FACTOR);
    if (dir.capped() && Math.abs(now - walkEndedMillis) >= rest) {
      // Needs a clock that does not jump, or walks would rest for twenty times the jump.
      long began = System.nanoTime();
      usage = DirectoryUsage.measure(dir.path(), clockMillis);
      walkTookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
      walkEndedMillis = clockMillis.getAsLong();
      changed = true;
      reportNotListed(usage.foldersNotListed());
    }
    if (changed) {
      PublishedState.of(clockMillis.getAsLong(), usage, inodes.total(), inodes.free()).write(state);
    }
  }

  private void reportNotListed(long folders) {
    if (folders > 0 && notListed == 0) {
      LOG.warn(
          "{} folders under {} may not be listed by the NodeManager's user, as is usual with the"
              + " Linux container executor: all that is used on its file system counts towards the"
              + " cap. Give the dir a file system of its own, or no cap. Not logged again while it"
              + " is so.",
          folders,
          dir.path());
    }
    notListed = folders;
  }

  /**
   * Makes the folders that a NodeManager makes only when it starts or a dir turns good again. Stock
   * does not notice that a root was emptied, and fails to localize into it until it is restarted.
   */
  private void restoreStockFolders() throws IOException {
    for (Map.Entry<String, Integer> entry : STOCK_FOLDERS.entrySet()) {
      Path path = dir.path().resolve(entry.getKey());
      if (!Files.exists(path, NOFOLLOW_LINKS)) {
        Files.createDirectory(path, NOBODYS);
      }
      // Repairs a try that was cut short, too.
      FileStamp stamp = FileStamp.of(path);
      if (stamp.directory() && stamp.permissions() != entry.getValue()) {
        Files.setAttribute(path, "unix:mode", entry.getValue(), NOFOLLOW_LINKS);
      }
    }
  }

  /** Makes sure of the marker; true when it was missing or said something else. */
  private boolean ensureMarker() throws IOException {
    Optional<FileStamp> now = FileStamp.find(marker);
    FileStamp known = markerRead;
    if (known != null && now.filter(known::unchanged).isPresent()) {
      return false;
    }
    boolean wrong = !setUp || !NodeMarker.read(dir.path()).equals(Optional.of(tiers));
    if (wrong) {
      NodeMarker.write(dir.path(), tiers);
      now = FileStamp.find(marker);
    }
    markerRead = now.orElse(null);
    return wrong;
  }
}
