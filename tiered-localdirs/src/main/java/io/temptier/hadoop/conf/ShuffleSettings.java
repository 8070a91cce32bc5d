// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import com.google.auto.value.AutoValue;
import io.temptier.tier.Medium;
import java.util.ArrayList;
import org.apache.hadoop.conf.Configuration;

/** Settings by which the shuffle handler serves map outputs. */
@AutoValue
public abstract class ShuffleSettings {

  /** Bound on memory for segments that were read and not yet sent. */
  public abstract long memoryBytes();

  /** Reads under way at a time on a rotating disk. */
  public abstract int diskLaneDepth();

  static ShuffleSettings of(long memoryBytes, int diskLaneDepth) {
    return new AutoValue_ShuffleSettings(memoryBytes, diskLaneDepth);
  }

  /** Reads the settings, defaults in place of wrong ones, which {@link TierConfig} reports. */
  public static ShuffleSettings of(Configuration conf) {
    return new ConfReader(conf, new ArrayList<>()).shuffle();
  }

  /** Reads under way at a time on a device of a medium. */
  public final int laneDepth(Medium medium) {
    switch (medium) {
      case DISK:
        return diskLaneDepth();
      case REMOTE:
        return 8;
      case SSD:
        return 16;
      default:
        return 32;
    }
  }
}
