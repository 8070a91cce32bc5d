// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import com.google.auto.value.AutoValue;
import io.temptier.tier.Medium;
import io.temptier.tier.lang.Immutable;
import java.util.ArrayList;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;

/** Settings by which the shuffle handler serves map outputs. */
@AutoValue
public abstract class ShuffleSettings {

  /** Bound on memory for segments that were read and not yet sent. */
  public abstract long memoryBytes();

  /** Reads under way at a time on a device of each medium. */
  public abstract Map<Medium, Integer> laneDepths();

  public static ShuffleSettings of(long memoryBytes, Map<Medium, Integer> laneDepths) {
    laneDepths = Immutable.copyOf(laneDepths);
    return new AutoValue_ShuffleSettings(memoryBytes, laneDepths);
  }

  /** Reads the settings, defaults in place of wrong ones, which {@link TierConfig} reports. */
  public static ShuffleSettings of(Configuration conf) {
    return new ConfReader(conf, new ArrayList<>()).shuffle();
  }

  public int laneDepth(Medium medium) {
    return Objects.requireNonNull(laneDepths().get(medium));
  }
}
