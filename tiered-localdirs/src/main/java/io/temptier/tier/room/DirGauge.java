// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Tier;
import io.temptier.tier.claim.Claim;
import io.temptier.tier.claim.Claims;
import io.temptier.tier.claim.Outstanding;
import io.temptier.tier.marker.MountGuard;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.TierSettings;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.policy.DirState;
import io.temptier.tier.policy.Reason;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Room of one local dir, as seen now: usable bytes and inodes of its file system, less the reserve,
 * less what is claimed by any process in any dir of the same file system, within the dir's own cap.
 * Also remembers that the dir failed.
 *
 * <p><b>Order.</b> Claims are read before the capacity and the usage they are taken from: what is
 * written meanwhile then counts twice, never not at all.
 *
 * <p><b>Errors.</b> A dir that fails is set aside ({@link Backoff}). So is one that does not
 * answer: the thread that asked hangs with it, as it would in stock Hadoop, but others wait for
 * {@link #HUNG} once, and then go on without the dir.
 *
 * <p>Safe for use by many threads. Locks are taken in the order reading, claims; no callbacks.
 */
public final class DirGauge {
  static final Duration HUNG = Duration.ofSeconds(5);

  private static final long WAIT_MILLIS = 10;

  /** Age up to which a reading is not made again for each file. */
  public static final Duration MOMENT = Duration.ofMillis(10);

  /** Half-life of what was written: by then the NodeManager has told of half of it or more. */
  private static final double HALF_LIFE_NANOS = 10e9;

  /** Finer differences say nothing of two disks, as in the NodeManager's news. */
  private static final long STEP_BYTES = 1 << 20;

  private final LocalDir dir;
  private final Tier tier;
  private final TierSettings settings;
  private final Capacity.Probe probe;
  private final Claims claims;
  private final LongSupplier clockNanos;
  private final Backoff backoff;
  private final CapUsage usage;
  private final MountGuard mount;
  private SharedRoom.@Nullable Arrangement arrangement;

  private final ReentrantLock reading = new ReentrantLock();
  private volatile @Nullable Long readingSinceNanos;
  private final AtomicReference<@Nullable DirReading> last = new AtomicReference<>();
  private volatile long gaveUpNanos;
  private volatile long mountedNanos;
  // Guarded by reading.
  private long totalBytes;
  private volatile long mostFreeBytes;
  private boolean writable;
  private long provenNanos;
  private volatile boolean draining;
  // Guarded by this.
  private double writtenBytes;
  private long writtenNanos;

  /** A gauge of {@code dir}, which is not touched yet: it may hang. */
  public DirGauge(
      LocalDir dir,
      Tier tier,
      TierSettings settings,
      Capacity.Probe probe,
      Claims claims,
      LongSupplier clockMillis,
      LongSupplier clockNanos) {
    this.dir = dir;
    this.tier = tier;
    this.settings = settings;
    this.probe = probe;
    this.claims = claims;
    this.clockNanos = clockNanos;
    this.backoff = Backoff.ofDir(dir.path(), clockNanos);
    this.usage = new CapUsage(dir.path(), settings.refresh().toMillis(), clockMillis);
    this.mount = new MountGuard(dir);
    this.gaveUpNanos = clockNanos.getAsLong();
    this.mountedNanos = gaveUpNanos - MOMENT.toNanos();
  }

  public LocalDir dir() {
    return dir;
  }

  /** Returns the path to ask for what the dir lies on. Waits for the dir when it is first asked. */
  Path disk() {
    return mount.disk();
  }

  /** Makes the dir where its disk is there; what it lies on cannot be told before. Waits for it. */
  void makeIfMissing() throws IOException {
    if (!Files.isDirectory(dir.path()) && !mount.lost()) {
      Files.createDirectories(dir.path());
    }
  }

  Tier tier() {
    return tier;
  }

  public Claims claims() {
    return claims;
  }

  /** Promises bytes here; null where nothing can be claimed, which sets the dir aside. */
  public @Nullable Claim claim(long bytes) {
    DirReading now = last.get();
    if (now != null && now.capacity().fewInodes() && !claims.makesFile()) {
      return null;
    }
    Claim claim = claims.claim(bytes).orElse(null);
    if (claim == null) {
      backoff.failed(claims.whyNot());
    }
    return claim;
  }

  public CapUsage usage() {
    return usage;
  }

  public Backoff backoff() {
    return backoff;
  }

  /** Gives up a claim that was made here, for all to see; waits for the disk. */
  public void release(Claim claim) {
    claim.release();
    gaveUpClaim();
  }

  /** Says that this process gave up a claim here: what was refused before may fit now. */
  public void gaveUpClaim() {
    gaveUpNanos = clockNanos.getAsLong();
  }

  /** Notes bytes of a complete file, which keep the disk busy for a while. */
  public synchronized void wrote(long bytes) {
    long now = clockNanos.getAsLong();
    writtenBytes = written(now) + bytes;
    writtenNanos = now;
  }

  /**
   * Bytes that this process wrote here lately. They are on their way to the disk, and the
   * NodeManager's news of it are seconds old, in which a process that writes many files would
   * choose the same disk again and again.
   */
  private synchronized double written(long nowNanos) {
    return writtenBytes == 0
        ? 0
        : writtenBytes * Math.pow(0.5, (nowNanos - writtenNanos) / HALF_LIFE_NANOS);
  }

  public boolean draining() {
    return draining;
  }

  void among(SharedRoom.Arrangement whoShares) {
    arrangement = whoShares;
  }

  /**
   * The dir for a policy.
   *
   * @param refuses whether the reading is new enough to refuse a file by; else it is no older than
   *     the refresh interval
   */
  public DirState state(boolean refuses) {
    Duration age = refuses ? MOMENT : settings.refresh();
    long since = clockNanos.getAsLong() - age.toNanos();
    long gaveUp = gaveUpNanos;
    DirReading now =
        backoff.waiting() ? null : since(refuses && gaveUp - since > 0 ? gaveUp : since);
    if (now == null) {
      return without(Reason.SET_ASIDE);
    }
    long inodes = now.capacity().totalInodes();
    if (inodes > 0 && now.capacity().freeInodes() <= tier.reserve().inodesOf(inodes)) {
      return without(Reason.INODES);
    }
    long steps = (long) (written(clockNanos.getAsLong()) / STEP_BYTES);
    long busy = Sizes.sum(now.outstanding().bytes(), steps * STEP_BYTES);
    long size = now.bound() == Reason.CAP ? dir.capBytes() : now.capacity().totalBytes();
    return DirState.of(dir, now.headroomBytes(), now.bound(), size, mostFreeBytes, busy);
  }

  DirState without(Reason reason) {
    return DirState.of(dir, Long.MIN_VALUE, reason);
  }

  /** A reading no older than the refresh interval, or null when the dir cannot be read. */
  public @Nullable DirReading recent() {
    return since(clockNanos.getAsLong() - settings.refresh().toNanos());
  }

  private @Nullable DirReading since(long sinceNanos) {
    DirReading now = last.get();
    return now == null || now.nanos() - sinceNanos <= 0 ? read(sinceNanos) : now;
  }

  /**
   * Tests that a claim just made still fits: with every process's claims counted, this one
   * included, nothing is overcommitted.
   *
   * @param withinReserve true if the reserve and the cap are to be kept
   */
  public boolean holdsClaim(boolean withinReserve) {
    // Reads the dir anew, even if it was empty: others may have claimed since.
    DirReading now = read(clockNanos.getAsLong());
    return now != null && (withinReserve ? now.headroomBytes() : now.unclaimedBytes()) > 0;
  }

  /** Reads everything anew; null when the dir cannot be read, which sets it aside. */
  private @Nullable DirReading read(long sinceNanos) {
    if (!lockUnlessHung()) {
      return null;
    }
    try {
      // Another thread's, made meanwhile, counts what this one claimed before.
      DirReading now = last.get();
      if (now == null || now.nanos() - sinceNanos <= 0) {
        readingSinceNanos = clockNanos.getAsLong();
        now = readLocked(sinceNanos);
        last.set(now);
      }
      return now;
    } catch (IOException e) {
      backoff.failed(e.toString());
      last.set(null);
      return null;
    } finally {
      readingSinceNanos = null;
      reading.unlock();
    }
  }

  private boolean lockUnlessHung() {
    boolean interrupted = false;
    boolean locked = reading.tryLock();
    try {
      while (!locked) {
        try {
          locked = reading.tryLock(WAIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
        Long since = readingSinceNanos;
        if (!locked && since != null && clockNanos.getAsLong() - since >= HUNG.toNanos()) {
          backoff.failed("it has not answered for " + HUNG.getSeconds() + " s");
          return false;
        }
      }
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Throws when the dir's disk is not mounted: nothing must be made in the dir then. */
  public void requireMounted() throws IOException {
    long now = clockNanos.getAsLong();
    if (now - mountedNanos >= MOMENT.toNanos()) {
      Optional<String> lost = mount.whyLost();
      if (lost.isPresent()) {
        throw new IOException(lost.get());
      }
      mountedNanos = now;
    }
  }

  private DirReading readLocked(long sinceNanos) throws IOException {
    requireMounted();
    long began = clockNanos.getAsLong();
    if (totalBytes == 0) {
      totalBytes = probeOrCreate().totalBytes();
    }
    proveWritable(began);
    Outstanding outstanding =
        dir.capped()
            ? claims.outstanding(totalBytes, usage.startedMillis(), usage.seenByAllMillis())
            : claimed(totalBytes);
    SharedRoom.Arrangement sharing = arrangement;
    Outstanding promised =
        sharing == null
            ? outstanding
            : sharing.of(this).promised(this, outstanding, totalBytes, sinceNanos, began);
    long left = dir.capped() ? dir.capBytes() - usage.bytes() : 0;
    Capacity capacity = probeOrCreate();
    mostFreeBytes = Math.max(mostFreeBytes, capacity.usableBytes());
    if (capacity.totalBytes() != totalBytes) {
      // Another file system is mounted here, or none any more.
      totalBytes = capacity.totalBytes();
      if (sharing != null) {
        sharing.changed(this);
      }
    }
    long capRoom = Long.MAX_VALUE;
    if (dir.capped()) {
      long cap = Math.min(dir.capBytes(), totalBytes);
      capRoom =
          Math.min(
              DirReading.minus(left, outstanding.counted(cap)), claims.shareLeft(outstanding, cap));
    }
    long reserve = tier.reserve().bytesOf(totalBytes);
    long share = claims.shareLeft(promised, totalBytes);
    return DirReading.of(capacity, reserve, outstanding, promised.bytes(), share, capRoom, began);
  }

  /**
   * Makes a file, or touches one, unless that was done lately: a failing disk still tells its free
   * space, and the fastest tier would draw every file to it.
   */
  private void proveWritable(long nowNanos) throws IOException {
    if (writable && nowNanos - provenNanos < settings.refresh().toNanos()) {
      return;
    }
    draining = NodeMarker.draining(dir.path());
    writable = claims.takesFiles();
    provenNanos = nowNanos;
    if (!writable) {
      throw new IOException(
          "no file can be made in "
              + NodeMarker.claims(dir.path())
              + "; is the disk read-only, full, or was the dir emptied?");
    }
  }

  /** {@code ofBytes} is the size of the file system, which bounds each user's claims. */
  Outstanding claimed(long ofBytes) {
    return claims.ofLiving(ofBytes, dir.capped());
  }

  /** Probes the dir; one that vanished is made again before it is given up, as in stock. */
  private Capacity probeOrCreate() throws IOException {
    try {
      return probe.probe(disk());
    } catch (IOException e) {
      Files.createDirectories(dir.path());
      return probe.probe(disk());
    }
  }

  @Override
  public final String toString() {
    return dir.toString();
  }
}
