// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Reserve;
import io.temptier.tier.Tier;
import io.temptier.tier.claim.Claims;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.TierSettings;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.Reason;
import java.io.IOException;
import java.util.function.LongSupplier;

/**
 * Fill level of a dir, for watermarks: its file system with all its users, as YARN's disk check
 * sees it (1 - usable / total), and its cap where it has one; what is promised to files that are
 * being written counts as written, as it does in placement. Otherwise files would pass a dir by for
 * what is promised in it while it is still below its mark.
 *
 * <p>Safe for use by many threads. Reading a dir that hangs hangs.
 */
public final class FillGauge {
  private final LocalDir dir;
  private final Reserve reserve;
  private final Capacity.Probe probe;
  private final CapUsage usage;
  private final Claims claims;
  private final LongSupplier clockMillis;
  private long movedMillis;

  @AutoValue
  public abstract static class Fill {
    abstract long totalBytes();

    /** Bytes that ordinary users cannot write any more, with those promised in this dir. */
    abstract long filledBytes();

    /** Bytes that ordinary users can still write, promised or not. */
    abstract long usableBytes();

    abstract long reserveBytes();

    abstract long capBytes();

    /** Bytes below the dir or promised in it; without a cap the promised ones alone. */
    abstract long capFilledBytes();

    /** True if the numbers show what has left the dir; else that counts in full. */
    public abstract boolean showsMoves();

    /** The share that is filled, of the file system or of the cap, whichever is fuller. */
    public double fraction() {
      return Math.max(
          (double) filledBytes() / totalBytes(), (double) capFilledBytes() / capBytes());
    }

    /** The share of the file system at which new files go to the next tier. */
    public double spillFraction() {
      return 1 - Math.min(1, (double) reserveBytes() / totalBytes());
    }

    /**
     * True if others than the placed files take the tier's reserve: those are placed above it, and
     * what is promised is not written yet.
     */
    public boolean reserveTaken() {
      return usableBytes() < reserveBytes();
    }

    public boolean spilling() {
      return totalBytes() - filledBytes() <= reserveBytes() || capFilledBytes() >= capBytes();
    }

    /** Bytes of the file system above a mark; negative below it. */
    public long bytesAbove(double mark) {
      return filledBytes() - (long) (mark * totalBytes());
    }

    /** Bytes of the dir above that share of its cap; negative below it, and without a cap. */
    public long capBytesAbove(double mark) {
      return capFilledBytes() - (long) (mark * capBytes());
    }
  }

  /** Describes a move down as a placement that says why the file had to leave its dir. */
  public static Placement demotion(LocalDir from, LocalDir to) {
    Reason why = NodeMarker.draining(from.path()) ? Reason.DRAINING : Reason.FULL;
    return Placement.of(
        to, Reason.FASTEST, Immutable.listOf(Placement.Refusal.of(from.medium(), why, 0)));
  }

  public FillGauge(LocalDir dir, Tier tier, TierSettings settings, Capacity.Probe probe) {
    this(dir, tier, settings, probe, System::currentTimeMillis);
  }

  /** Gauges a dir by a wall clock, which may jump. */
  public FillGauge(
      LocalDir dir,
      Tier tier,
      TierSettings settings,
      Capacity.Probe probe,
      LongSupplier clockMillis) {
    this.dir = dir;
    this.reserve = tier.reserve();
    this.probe = probe;
    this.clockMillis = clockMillis;
    this.usage = new CapUsage(dir.path(), settings.refresh().toMillis(), clockMillis);
    this.claims = new Claims(NodeMarker.claims(dir.path()), clockMillis);
  }

  public synchronized void moved() {
    movedMillis = clockMillis.getAsLong();
  }

  /**
   * Tests whether a walk that began at {@code walkedMillis} shows the moves; one that the clock was
   * set back under tells nothing.
   */
  private synchronized boolean showsMoves(long walkedMillis) {
    long now = clockMillis.getAsLong();
    movedMillis = Math.min(movedMillis, now);
    return !dir.capped() || (walkedMillis > movedMillis && walkedMillis <= now);
  }

  /** True if the dir is so full that new files pass it by, as far as can be told. */
  public boolean spilling() {
    try {
      return read().spilling();
    } catch (IOException e) {
      return false;
    }
  }

  /** Reads the dir anew; throws when it is missing or does not answer. */
  public Fill read() throws IOException {
    long totalBytes = probe.probe(dir.path()).totalBytes();
    long promised = claims.ofLiving(totalBytes, dir.capped()).bytes();
    long capUsed = dir.capped() ? usage.bytes() : 0;
    if (promised == Long.MAX_VALUE) {
      // Too many to count is a misused folder: to drain the dir for it would help nobody.
      promised = 0;
    }
    // After the claims, as what is written meanwhile may count twice, and must not count never.
    Capacity capacity = probe.probe(dir.path());
    return new AutoValue_FillGauge_Fill(
        capacity.totalBytes(),
        capacity.totalBytes() - capacity.usableBytes() + promised,
        capacity.usableBytes(),
        reserve.bytesOf(capacity.totalBytes()),
        dir.capBytes(),
        capUsed + promised,
        showsMoves(usage.startedMillis()));
  }
}
