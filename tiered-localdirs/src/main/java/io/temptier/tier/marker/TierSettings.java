// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.marker;

import com.google.auto.value.AutoValue;
import io.temptier.tier.policy.FillLimits;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** The settings of placement, parsed. The keys behind them are in {@code docs/configs.md}. */
@AutoValue
public abstract class TierSettings {

  public static final TierSettings DEFAULT =
      new AutoValue_TierSettings.Builder()
          .unknownSizeBytes(64L << 20)
          .refresh(Duration.ofSeconds(1))
          .claimIdle(Duration.ofSeconds(30))
          .largeSizeBytes(4L << 30)
          .limits(FillLimits.NONE)
          .sparkLinks(true)
          .build();

  public abstract long unknownSizeBytes();

  /** Greatest age of a capacity reading. */
  public abstract Duration refresh();

  /** Time that a file may stop growing before its claim is released. */
  public abstract Duration claimIdle();

  /** Room that a tier must have for files of unknown size that may become large. */
  public abstract long largeSizeBytes();

  public abstract FillLimits limits();

  /** False where the node's shuffle service of Spark refuses to follow links. */
  public abstract boolean sparkLinks();

  public abstract Builder toBuilder();

  @AutoValue.Builder
  public interface Builder {
    Builder unknownSizeBytes(long bytes);

    Builder refresh(Duration age);

    Builder claimIdle(Duration time);

    Builder largeSizeBytes(long bytes);

    Builder limits(FillLimits limits);

    Builder sparkLinks(boolean followed);

    TierSettings build();
  }

  /** What can be set, by its name, for JMX and for tasks; as texts {@link #read} reads them. */
  public Map<String, Object> byName() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("unknownSizeBytes", unknownSizeBytes());
    all.put("largeSizeBytes", largeSizeBytes());
    all.put("fillLimits", limits());
    all.put("sparkLinks", sparkLinks());
    return all;
  }

  /** Settings out of texts; throws with a reason for people when one is missing or cannot be. */
  static TierSettings read(CheckedProperties in) {
    return DEFAULT.toBuilder()
        .unknownSizeBytes(in.number("unknownSizeBytes"))
        .largeSizeBytes(in.number("largeSizeBytes"))
        .limits(FillLimits.parse(in.text("fillLimits")))
        .sparkLinks(in.find("sparkLinks") == null || in.flag("sparkLinks"))
        .build();
  }
}
