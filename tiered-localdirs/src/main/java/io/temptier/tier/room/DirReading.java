// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import com.google.auto.value.AutoValue;
import io.temptier.tier.claim.Outstanding;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.policy.Reason;

/** A reading of a dir, for placement, metrics and {@code status}. */
@AutoValue
public abstract class DirReading {
  public abstract Capacity capacity();

  public abstract long reserveBytes();

  /** Claims in this dir alone. */
  public abstract Outstanding outstanding();

  /** Usable bytes less all claims, the reserve not kept. */
  public abstract long unclaimedBytes();

  /** Bytes that the dir's cap leaves; {@link Long#MAX_VALUE} without one. */
  public abstract long capRoomBytes();

  public abstract long headroomBytes();

  public abstract Reason bound();

  public abstract long nanos();

  /**
   * A reading, by the narrowest of its bounds.
   *
   * @param promisedBytes what is claimed in all dirs of the file system
   * @param shareBytes what the user of this process may still claim of it
   */
  static DirReading of(
      Capacity capacity,
      long reserveBytes,
      Outstanding outstanding,
      long promisedBytes,
      long shareBytes,
      long capRoomBytes,
      long nanos) {
    long unclaimed = minus(capacity.usableBytes(), promisedBytes);
    long headroom = Math.min(minus(unclaimed, reserveBytes), shareBytes);
    return new AutoValue_DirReading(
        capacity,
        reserveBytes,
        outstanding,
        Math.min(unclaimed, shareBytes),
        capRoomBytes,
        Math.min(headroom, capRoomBytes),
        capRoomBytes < headroom ? Reason.CAP : Reason.FULL,
        nanos);
  }

  /** The difference, where {@code a} may be negative and {@code b} not; saturates. */
  static long minus(long a, long b) {
    return a < Long.MIN_VALUE + b ? Long.MIN_VALUE : a - b;
  }
}
