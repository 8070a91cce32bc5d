// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import io.temptier.tier.claim.Outstanding;
import io.temptier.tier.os.Capacity;

/** A dir that can be read, as it is now, for metrics and {@code status}. */
@AutoValue
public abstract class DirView {
  public abstract LocalDir dir();

  public abstract Capacity capacity();

  public abstract long reserveBytes();

  public abstract Outstanding claims();

  public abstract long headroomBytes();

  public abstract boolean draining();

  public abstract long failures();

  public static DirView of(
      LocalDir dir,
      Capacity capacity,
      long reserveBytes,
      Outstanding claims,
      long headroomBytes,
      boolean draining,
      long failures) {
    return new AutoValue_DirView(
        dir, capacity, reserveBytes, claims, headroomBytes, draining, failures);
  }
}
