// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The knobs of demotion, already parsed. The keys behind them are in {@code docs/configs.md}.
 *
 * @param enabled whether anything is demoted
 * @param marks the watermarks of every medium
 * @param bytesPerSecond the most that demotion writes on a node, over all dirs and processes
 */
public record DemotionSettings(boolean enabled, Map<Medium, Marks> marks, long bytesPerSecond) {
  /** The settings of an empty configuration. */
  public static final DemotionSettings DEFAULT =
      new DemotionSettings(
          true,
          Arrays.stream(Medium.values())
              .collect(
                  Collectors.toMap(medium -> medium, any -> new Marks(0.80, false, 0.70, false))),
          64L << 20);

  public DemotionSettings {
    marks = Map.copyOf(marks);
  }

  /**
   * The watermarks of one medium as configured. A default yields to what was given: it is lowered
   * to where demotion begins before files spill, and has somewhere to go.
   *
   * @param high share at which demotion starts, 0 to 1
   * @param highGiven whether an operator said so
   * @param low share at which it stops, 0 to 1
   * @param lowGiven whether an operator said so
   */
  public record Marks(double high, boolean highGiven, double low, boolean lowGiven) {
    /** What a default leaves between itself and where files spill. */
    private static final double BELOW_SPILL = 0.05;

    /** What the default low mark leaves between itself and the high one. */
    private static final double BAND = 0.10;

    /**
     * The marks of a dir.
     *
     * @param spillFraction how far its file system is filled when files go to the next tier
     */
    public Watermarks at(double spillFraction) {
      double start = highGiven ? high : Math.max(0, Math.min(high, spillFraction - BELOW_SPILL));
      double stop = lowGiven ? low : Math.max(0, Math.min(low, start - BAND));
      return new Watermarks(start, Math.min(stop, start));
    }
  }

  /** The watermarks of a medium. */
  public Marks marksOf(Medium medium) {
    return Objects.requireNonNull(marks.get(medium), () -> "no marks of " + medium);
  }
}
