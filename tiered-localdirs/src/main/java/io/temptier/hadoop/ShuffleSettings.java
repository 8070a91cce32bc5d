/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.hadoop;

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
