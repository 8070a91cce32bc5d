// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import com.google.auto.value.AutoValue;
import io.temptier.tier.Reason;
import io.temptier.tier.claim.Outstanding;
import io.temptier.tier.os.Capacity;

/** One reading of a dir, for placement, metrics and {@code status}. */
@AutoValue
public abstract class DirReading {
  public abstract Capacity capacity();

  public abstract long reserveBytes();

  /** This dir's own claims. */
  public abstract Outstanding outstanding();

  /** Usable bytes less all claims, the reserve not kept. */
  public abstract long unclaimedBytes();

  /** What the dir's cap leaves; {@link Long#MAX_VALUE} without one. */
  public abstract long capRoomBytes();

  public abstract long headroomBytes();

  public abstract Reason bound();

  /** When it began. */
  public abstract long nanos();

  public static DirReading of(
      Capacity capacity,
      long reserveBytes,
      Outstanding outstanding,
      long unclaimedBytes,
      long capRoomBytes,
      long headroomBytes,
      Reason bound,
      long nanos) {
    return new AutoValue_DirReading(
        capacity,
        reserveBytes,
        outstanding,
        unclaimedBytes,
        capRoomBytes,
        headroomBytes,
        bound,
        nanos);
  }
}
