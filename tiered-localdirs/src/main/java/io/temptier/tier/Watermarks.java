// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import com.google.auto.value.AutoValue;

/** Between which fills demotion works, as shares of a file system. */
@AutoValue
public abstract class Watermarks {
  /** Demotion starts once a dir is filled so far, 0 to 1. */
  public abstract double high();

  /** And stops when it is filled no further than that; at most {@code high}. */
  public abstract double low();

  public static Watermarks of(double high, double low) {
    return new AutoValue_Watermarks(high, low);
  }
}
