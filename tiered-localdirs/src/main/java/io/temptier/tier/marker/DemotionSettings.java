// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.marker;

import com.google.auto.value.AutoValue;
import java.time.Duration;

/** The settings of demotion, parsed. The keys behind them are in {@code docs/configs.md}. */
@AutoValue
public abstract class DemotionSettings {

  public static final DemotionSettings DEFAULT =
      of(true, Marks.of(0.80, false, 0.70, false), 64L << 20, Duration.ofMinutes(1));

  public abstract boolean enabled();

  public abstract Marks marks();

  /** The most that demotion writes on a node, over all dirs and processes. */
  public abstract long bytesPerSecond();

  /** Time after which an output that was neither written nor fetched from is cold. */
  public abstract Duration coldAfter();

  public static DemotionSettings of(
      boolean enabled, Marks marks, long bytesPerSecond, Duration coldAfter) {
    return new AutoValue_DemotionSettings(enabled, marks, bytesPerSecond, coldAfter);
  }

  /**
   * The watermarks as configured. A mark left at its default yields to what is configured: it is
   * lowered so that demotion begins before files spill, and ends below where it begins.
   */
  @AutoValue
  public abstract static class Marks {
    /** Share that a default leaves between itself and where files spill. */
    private static final double BELOW_SPILL = 0.05;

    /** Share between the default low mark and the high one. */
    private static final double BAND = 0.10;

    /** Share of a file system at which demotion starts, 0 to 1. */
    public abstract double high();

    public abstract boolean highGiven();

    /** Share at which it stops, 0 to 1. */
    public abstract double low();

    public abstract boolean lowGiven();

    public static Marks of(double high, boolean highGiven, double low, boolean lowGiven) {
      return new AutoValue_DemotionSettings_Marks(high, highGiven, low, lowGiven);
    }

    /** Returns the marks that hold in a dir whose files spill when it is filled so far. */
    public Marks at(double spillFraction) {
      double start =
          highGiven() ? high() : Math.max(0, Math.min(high(), spillFraction - BELOW_SPILL));
      double stop = lowGiven() ? low() : Math.max(0, Math.min(low(), start - BAND));
      return of(start, true, Math.min(stop, start), true);
    }
  }
}
