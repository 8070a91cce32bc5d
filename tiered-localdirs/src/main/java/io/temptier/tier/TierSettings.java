// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import java.time.Duration;

/**
 * The knobs of placement, already parsed. The keys behind them are in {@code docs/configs.md}.
 *
 * @param policy which policy decides
 * @param unknownSizeBytes what a file of unknown size counts as
 * @param appShare share of each fast tier's total bytes one application may hold, 0 to 1; 1 is no
 *     bound
 * @param hysteresis share of a dir's total bytes that must come free again, above the reserve,
 *     before a dir that reached its watermark takes files again, 0 to 1
 * @param refresh how old a capacity reading may be
 * @param claimIdle how long a file may stop growing before its claim is released
 * @param largeSizeBytes room that a tier must have for files of unknown size that may become large
 * @param limits how full tiers may be to take files of some kinds and users
 */
public record TierSettings(
    PlacementPolicy.Named policy,
    long unknownSizeBytes,
    double appShare,
    double hysteresis,
    Duration refresh,
    Duration claimIdle,
    long largeSizeBytes,
    FillLimits limits) {

  /** What {@link #largeSizeBytes} is where nobody set it. */
  public static final long DEFAULT_LARGE_SIZE = 4L << 30;

  /** The settings of an empty configuration. */
  public static final TierSettings DEFAULT =
      new TierSettings(
          PlacementPolicy.Named.FAST_FIRST,
          64L << 20,
          1.0,
          0.02,
          Duration.ofSeconds(1),
          Duration.ofSeconds(30));

  /** Settings with the default large size. */
  public TierSettings(
      PlacementPolicy.Named policy,
      long unknownSizeBytes,
      double appShare,
      double hysteresis,
      Duration refresh,
      Duration claimIdle) {
    this(policy, unknownSizeBytes, appShare, hysteresis, refresh, claimIdle, DEFAULT_LARGE_SIZE);
  }

  /** Settings without limits. */
  public TierSettings(
      PlacementPolicy.Named policy,
      long unknownSizeBytes,
      double appShare,
      double hysteresis,
      Duration refresh,
      Duration claimIdle,
      long largeSizeBytes) {
    this(
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
