// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import io.temptier.tier.claim.Outstanding;
import io.temptier.tier.os.Capacity;
import org.jspecify.annotations.Nullable;

/** A dir as it is now, for metrics and {@code status}. */
@AutoValue
public abstract class DirView {
  private static final Capacity NOTHING = Capacity.of(0, 0, 0, 0);

  public abstract LocalDir dir();

  public abstract Capacity capacity();

  public abstract long reserveBytes();

  public abstract Outstanding claims();

  public abstract long headroomBytes();

  public abstract boolean setAside();

  public abstract boolean draining();

  public abstract long failures();

  public static DirView of(
      LocalDir dir,
      Capacity capacity,
      long reserveBytes,
      Outstanding claims,
      long headroomBytes,
      boolean setAside,
      boolean draining,
      long failures) {
    return new AutoValue_DirView(
        dir, capacity, reserveBytes, claims, headroomBytes, setAside, draining, failures);
  }

  /** Makes a view of a reading of the dir; null when it cannot be read. */
  static DirView of(DirGauge gauge, @Nullable DirReading reading) {
    return of(
        gauge.dir(),
        reading == null ? NOTHING : reading.capacity(),
        reading == null ? 0 : reading.reserveBytes(),
        reading == null ? Outstanding.NONE : reading.outstanding(),
        reading == null ? 0 : reading.headroomBytes(),
        reading == null,
        gauge.draining(),
        gauge.backoff().total());
  }
}
