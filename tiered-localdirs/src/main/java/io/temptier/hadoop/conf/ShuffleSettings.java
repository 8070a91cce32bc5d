// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import io.temptier.tier.Medium;
import java.util.ArrayList;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;

/**
 * How the shuffle handler serves map outputs.
 *
 * @param memoryBytes bound on memory for segments that were read and not yet sent
 * @param laneDepths reads under way at a time on a device of each medium
 */
public record ShuffleSettings(long memoryBytes, Map<Medium, Integer> laneDepths) {
  /** No device gains from more; each is a thread. */
  static final int DEEPEST = 1024;

  public ShuffleSettings {
    laneDepths = Map.copyOf(laneDepths);
  }

  /**
   * Reads the settings. What is wrong with them, {@link TierConfig} finds; here the default stands
   * in for it.
   */
  public static ShuffleSettings of(Configuration conf) {
    return new ConfReader(conf, new ArrayList<>()).shuffle();
  }

  /** Reads under way at a time on a device of {@code medium}. */
  public int laneDepth(Medium medium) {
    return Objects.requireNonNull(laneDepths.get(medium));
  }
}
