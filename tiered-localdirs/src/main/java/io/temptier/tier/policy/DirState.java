// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.policy;

import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Reserve;
import io.temptier.tier.text.Sizes;

/** A dir as placement sees it at one moment. */
@AutoValue
public abstract class DirState {
  public abstract LocalDir dir();

  /** Bytes for a new file: usable, less reserve and claims, within the cap; may be negative. */
  public abstract long headroomBytes();

  /**
   * Reason why the dir takes nothing at all now ({@link Reason#INODES}, {@link Reason#SET_ASIDE})
   * or which bound the headroom comes from ({@link Reason#FULL}, {@link Reason#CAP}).
   */
  public abstract Reason refusal();

  /** Size of the file system, or the cap if that bounds the headroom; 0 where nobody asks. */
  public abstract long sizeBytes();

  /** The most of the file system that its other users left since this process looks. */
  public abstract long mostFreeBytes();

  /**
   * Bytes that keep its disk busy, to be compared within its tier: what any process claimed in the
   * dir and did not write yet, what this one wrote lately, and the disk's recent traffic where that
   * is known.
   */
  public abstract long busyBytes();

  public static DirState of(
      LocalDir dir,
      long headroomBytes,
      Reason refusal,
      long sizeBytes,
      long mostFreeBytes,
      long busyBytes) {
    return new AutoValue_DirState(dir, headroomBytes, refusal, sizeBytes, mostFreeBytes, busyBytes);
  }

  public static DirState of(LocalDir dir, long headroomBytes, Reason refusal) {
    return of(dir, headroomBytes, refusal, 0, 0, 0);
  }

  /** Returns the dir on a disk that has so many more bytes to move; the sum saturates. */
  public DirState busierBy(long bytes) {
    return with(headroomBytes(), Sizes.sum(busyBytes(), bytes));
  }

  /**
   * Returns the dir for files that may fill it to a share of its size only; and where no cap is
   * nearer, to a share of what others leave of the disk. What is reserved counts.
   */
  DirState within(double limit, double ofDisk, Reserve reserve) {
    boolean cap = refusal() == Reason.CAP;
    double ofSize = (1 - limit) * sizeBytes();
    double left = cap ? ofSize : Math.max(ofSize, (1 - ofDisk) * mostFreeBytes());
    long kept = (long) left - (cap ? 0 : reserve.bytesOf(sizeBytes()));
    return kept <= 0 || headroomBytes() == Long.MIN_VALUE
        ? this
        : with(headroomBytes() - kept, busyBytes());
  }

  private DirState with(long headroom, long busy) {
    return of(dir(), headroom, refusal(), sizeBytes(), mostFreeBytes(), busy);
  }

  /** True if a file of {@code bytes} fits now. As with stock, an exact fit does not count. */
  public boolean holds(long bytes) {
    return headroomBytes() > bytes;
  }
}
