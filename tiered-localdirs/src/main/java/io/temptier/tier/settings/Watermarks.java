// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.settings;

import com.google.auto.value.AutoValue;

/** The fills between which demotion works, as shares of a file system. */
@AutoValue
public abstract class Watermarks {
  /** Demotion starts once a dir is filled so far, 0 to 1. */
  public abstract double high();

  /** Demotion stops once a dir is filled no further than this; at most {@code high}. */
  public abstract double low();

  public static Watermarks of(double high, double low) {
    return new AutoValue_Watermarks(high, low);
  }
}
