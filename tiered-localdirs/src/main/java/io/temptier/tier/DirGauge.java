/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.tier;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How much room one local dir has, as seen now: usable bytes and inodes of its file system, less
 * the reserve, less what is claimed by any process in any dir of the same file system, within the
 * dir's own cap. Also remembers that the dir failed, or that it reached its watermark.
 *
 * <p><b>Order.</b> Claims are read before the capacity and the usage they are taken from: what is
 * written meanwhile then counts twice, never not at all.
 *
 * <p><b>Watermark.</b> See {@link Hysteresis}. A gauge starts at the watermark, since most
 * processes live shorter than it takes a dir to fill and empty.
 *
 * <p><b>Errors.</b> A dir that fails is set aside ({@link Backoff}). So is one that does not
 * answer: the thread that asked hangs with it, as it would in stock Hadoop, but others wait for
 * {@link #HUNG} once, and then go on without the dir.
 *
 * <p>Safe for use by many threads. Locks are taken in the order reading, claims; nothing is called
 * back.
 */
final class DirGauge {
  /** A dir that has not answered for so long is set aside. */
  static final Duration HUNG = Duration.ofSeconds(5);

  /** A claim is loose while as many of its size fit. */
  private static final long LOOSE_CLAIMS = 1024;

  /** No claim is loose that is larger than the same share of so many reserves. */
  private static final long LOOSE_RESERVES = 8;

  private static final long WAIT_MILLIS = 10;

  /**
   * Readings for placement, metrics and {@code status}.
   *
   * @param outstanding this dir's own claims
   * @param unclaimedBytes usable bytes less all claims, the reserve not kept
   */
  record Reading(
      Capacity capacity,
      long reserveBytes,
      Claims.Outstanding outstanding,
      long unclaimedBytes,
      long headroomBytes,
      Reason bound,
      long nanos) {
    Reading less(long bytes) {
      return new Reading(
          capacity,
          reserveBytes,
          outstanding,
          unclaimedBytes - bytes,
          headroomBytes - bytes,
          bound,
          nanos);
    }
  }

  private final LocalDir dir;
  private final Tier tier;
  private final TierSettings settings;
  private final CapacityProbe probe;
  private final Claims claims;
  private final LongSupplier clockNanos;
  private final Backoff backoff;
  private final CapUsage usage;
  private final SlowNotice notice;
  private final MountGuard mount;
  private final Hysteresis hysteresis;
  private List<DirGauge> all = List.of();

  private final ReentrantLock reading = new ReentrantLock();
  private volatile @Nullable Long readingSinceNanos;
  private final AtomicReference<@Nullable Reading> last = new AtomicReference<>();
  private volatile @Nullable Object device;
  // Guarded by reading.
  private long totalBytes;
  private boolean writable;
  private long provenNanos;

  DirGauge(
      LocalDir dir,
      Tier tier,
      TierSettings settings,
      CapacityProbe probe,
      Claims claims,
      LongSupplier clockMillis,
      LongSupplier clockNanos) {
    this.dir = dir;
    this.tier = tier;
    this.settings = settings;
    this.probe = probe;
    this.claims = claims;
    this.clockNanos = clockNanos;
    this.backoff = new Backoff(dir.path(), clockNanos);
    this.usage = new CapUsage(dir.path(), settings.refresh().toMillis(), clockMillis);
    this.notice = new SlowNotice(dir.path(), clockMillis);
    this.hysteresis = new Hysteresis(settings);
    this.mount = new MountGuard(dir);
    // Making the dir would make it on the disk below the mount point.
    this.device = mount.lost() ? null : deviceOf(dir.path());
  }

  LocalDir dir() {
    return dir;
  }

  Tier tier() {
    return tier;
  }

  Claims claims() {
    return claims;
  }

  CapUsage usage() {
    return usage;
  }

  Backoff backoff() {
    return backoff;
  }

  /** Whether the NodeManager says that the dir answers slower than the tier below. */
  boolean slow() {
    return notice.slow();
  }

  /** Tells the gauge of the others, some of which may share its file system. */
  void among(List<DirGauge> gauges) {
    all = gauges;
  }

  /** The dir for a policy, from a reading no older than the refresh interval, or a new one. */
  DirState state(boolean fresh) {
    if (backoff.waiting()) {
      return without(Reason.SET_ASIDE);
    }
    Reading now = fresh ? read(true) : recent();
    if (now == null) {
      return without(Reason.SET_ASIDE);
    }
    if (inodesShort(now.capacity())) {
      return new DirState(dir, Long.MIN_VALUE, now.capacity().usableBytes(), Reason.INODES);
    }
    long headroom = hysteresis.headroom(now.headroomBytes());
    long promised = now.outstanding().bytes();
    return new DirState(dir, headroom, now.capacity().usableBytes(), now.bound(), promised);
  }

  /** The dir as it is for a file that it must not take. */
  DirState without(Reason reason) {
    return new DirState(dir, Long.MIN_VALUE, 0, reason);
  }

  /** A reading no older than the refresh interval, or null when the dir cannot be read. */
  @Nullable Reading recent() {
    Reading now = last.get();
    boolean stale =
        now == null || clockNanos.getAsLong() - now.nanos() >= settings.refresh().toNanos();
    return stale ? read(true) : now;
  }

  /**
   * Whether a claim of {@code bytes}, just made, still fits: with every process's claims counted,
   * this one included, nothing is overcommitted. A claim that does not says nothing of the
   * watermark: it is given up.
   *
   * <p>Where the dir is so empty that {@link #LOOSE_CLAIMS} such claims fit, the last reading
   * answers. Others may have claimed since; what the loose claims of a refresh interval can then be
   * too much, the reserve holds. So nothing is loose without one, nor below a cap.
   *
   * @param withinReserve whether the reserve and the cap are to be kept
   */
  boolean holdsClaim(long bytes, boolean withinReserve) {
    Reading recent = withinReserve ? recent() : null;
    if (recent != null && bytes <= looseBytes(recent)) {
      last.updateAndGet(reading -> reading == null ? null : reading.less(bytes));
      return true;
    }
    Reading now = read(false);
    return now != null && (withinReserve ? now.headroomBytes() : now.unclaimedBytes()) > 0;
  }

  private long looseBytes(Reading reading) {
    return dir.capped()
        ? -1
        : Math.min(reading.headroomBytes(), LOOSE_RESERVES * reading.reserveBytes()) / LOOSE_CLAIMS;
  }

  /** Reads everything anew; null when the dir cannot be read, which sets it aside. */
  private @Nullable Reading read(boolean marksWater) {
    if (!lockUnlessHung()) {
      return null;
    }
    try {
      readingSinceNanos = clockNanos.getAsLong();
      Reading now = readLocked();
      last.set(now);
      if (marksWater) {
        hysteresis.note(now.headroomBytes(), Math.min(now.capacity().totalBytes(), dir.capBytes()));
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
    try {
      while (!reading.tryLock()) {
        try {
          if (reading.tryLock(WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
            return true;
          }
        } catch (InterruptedException e) {
          interrupted = true;
        }
        Long since = readingSinceNanos;
        if (since != null && clockNanos.getAsLong() - since >= HUNG.toNanos()) {
          backoff.failed("it has not answered for " + HUNG.toSeconds() + " s");
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

  /**
   * Returns when the dir lies on the disk it belongs on.
   *
   * @throws IOException when that is not mounted: nothing must be made in the dir
   */
  void requireMounted() throws IOException {
    mount.require();
  }

  private Reading readLocked() throws IOException {
    requireMounted();
    if (totalBytes == 0) {
      totalBytes = probeOrCreate().totalBytes();
    }
    proveWritable();
    Claims.Outstanding own = outstanding();
    long claimed = saturatedAdd(own.bytes(), othersClaimed());
    long left = dir.capped() ? dir.capBytes() - usage.bytes() : 0;
    Capacity capacity = probeOrCreate();
    if (capacity.totalBytes() != totalBytes) {
      // Another file system is mounted here, or none any more.
      totalBytes = capacity.totalBytes();
      device = deviceOf(dir.path());
    }
    long reserve = tier.reserve().bytesOf(totalBytes);
    long unclaimed = saturatedSubtract(capacity.usableBytes(), claimed);
    long headroom = saturatedSubtract(unclaimed, reserve);
    Reason bound = Reason.FULL;
    if (dir.capped() && saturatedSubtract(left, own.bytes()) < headroom) {
      headroom = saturatedSubtract(left, own.bytes());
      bound = Reason.CAP;
    }
    return new Reading(capacity, reserve, own, unclaimed, headroom, bound, clockNanos.getAsLong());
  }

  /**
   * Makes a file, or touches one, once per refresh interval: a failing disk still tells its free
   * space, and the fastest tier would draw every file to it.
   */
  private void proveWritable() throws IOException {
    long now = clockNanos.getAsLong();
    if (writable && now - provenNanos < settings.refresh().toNanos()) {
      return;
    }
    writable = claims.takesFiles();
    provenNanos = now;
    if (!writable) {
      throw new IOException(
          "no file can be made in "
              + NodeMarker.claims(dir.path())
              + "; is the disk read-only, full, or was the dir emptied?");
    }
  }

  /**
   * What is claimed in other dirs of the file system, read anew: it bounds this dir as its own do.
   */
  private long othersClaimed() {
    long claimed = 0;
    Object mine = device;
    for (DirGauge other : all) {
      if (other != this && mine != null && mine.equals(other.device)) {
        // The capacity knows what the dead wrote, whatever a walk knows.
        long kept = other.dir.capped() ? other.usage.seenByAllMillis() : 0;
        claimed =
            saturatedAdd(
                claimed, other.claims.outstanding(totalBytes, Long.MAX_VALUE, kept).bytes());
      }
    }
    return claimed;
  }

  /** Like stock, a dir that vanished is made again before it is given up. */
  private Capacity probeOrCreate() throws IOException {
    try {
      return probe.probe(dir.path());
    } catch (IOException e) {
      Files.createDirectories(dir.path());
      return probe.probe(dir.path());
    }
  }

  private Claims.Outstanding outstanding() {
    return dir.capped()
        ? claims.outstanding(totalBytes, usage.startedMillis(), usage.seenByAllMillis())
        : claims.outstanding(totalBytes, Long.MAX_VALUE, 0);
  }

  /** Bytes {@code application} has outstanding here, by the last reading. */
  long outstandingOf(String application) {
    Reading now = last.get();
    return now == null ? 0 : now.outstanding().byApplication().getOrDefault(application, 0L);
  }

  private boolean inodesShort(Capacity capacity) {
    return capacity.totalInodes() > 0
        && capacity.freeInodes() <= tier.reserve().inodesOf(capacity.totalInodes());
  }

  private static long saturatedAdd(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }

  /** The difference, where {@code a} may be negative and {@code b} not. */
  private static long saturatedSubtract(long a, long b) {
    return a < Long.MIN_VALUE + b ? Long.MIN_VALUE : a - b;
  }

  private static @Nullable Object deviceOf(Path path) {
    try {
      Files.createDirectories(path);
      return Files.getAttribute(path, "unix:dev");
    } catch (IOException | UnsupportedOperationException e) {
      return null;
    }
  }

  @Override
  public String toString() {
    return dir.toString();
  }
}
