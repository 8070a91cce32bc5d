// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import com.google.auto.value.AutoValue;
import java.time.Duration;

/** The knobs of placement, already parsed. The keys behind them are in {@code docs/configs.md}. */
@AutoValue
public abstract class TierSettings {

  /** What {@link #largeSizeBytes} is where nobody set it. */
  public static final long DEFAULT_LARGE_SIZE = 4L << 30;

  /** The settings of an empty configuration. */
  public static final TierSettings DEFAULT =
      TierSettings.of(
          PlacementPolicy.Named.FAST_FIRST,
          64L << 20,
          1.0,
          0.02,
          Duration.ofSeconds(1),
          Duration.ofSeconds(30));

  /** Which policy decides. */
  public abstract PlacementPolicy.Named policy();

  /** What a file of unknown size counts as. */
  public abstract long unknownSizeBytes();

  /** Share of each fast tier's total bytes one application may hold, 0 to 1; 1 is no bound. */
  public abstract double appShare();

  /**
   * Share of a dir's total bytes that must come free again, above the reserve, before a dir that
   * reached its watermark takes files again, 0 to 1.
   */
  public abstract double hysteresis();

  /** How old a capacity reading may be. */
  public abstract Duration refresh();

  /** How long a file may stop growing before its claim is released. */
  public abstract Duration claimIdle();

  /** Room that a tier must have for files of unknown size that may become large. */
  public abstract long largeSizeBytes();

  /** How full tiers may be to take files of some kinds and users. */
  public abstract FillLimits limits();

  public static TierSettings of(
      PlacementPolicy.Named policy,
      long unknownSizeBytes,
      double appShare,
      double hysteresis,
      Duration refresh,
      Duration claimIdle,
      long largeSizeBytes,
      FillLimits limits) {
    return new AutoValue_TierSettings(
        policy, unknownSizeBytes, appShare, hysteresis, refresh, claimIdle, largeSizeBytes, limits);
  }

  /** Settings with the default large size. */
  public static TierSettings of(
      PlacementPolicy.Named policy,
      long unknownSizeBytes,
      double appShare,
      double hysteresis,
      Duration refresh,
      Duration claimIdle) {
    return of(
        policy, unknownSizeBytes, appShare, hysteresis, refresh, claimIdle, DEFAULT_LARGE_SIZE);
  }

  /** Settings without limits. */
  public static TierSettings of(
      PlacementPolicy.Named policy,
      long unknownSizeBytes,
      double appShare,
      double hysteresis,
      Duration refresh,
      Duration claimIdle,
      long largeSizeBytes) {
    return of(
        policy,
        unknownSizeBytes,
        appShare,
        hysteresis,
        refresh,
        claimIdle,
        largeSizeBytes,
        FillLimits.NONE);
  }
}
