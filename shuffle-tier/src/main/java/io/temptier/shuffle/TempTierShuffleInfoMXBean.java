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
package io.temptier.shuffle;

/**
 * What TempTier's shuffle handler does in this NodeManager, as JSON texts: {@code
 * Hadoop:service=NodeManager,name=TempTierShuffleInfo}, as {@code /jmx} shows it. What the numbers
 * mean is in {@code docs/shuffle-metrics.md}.
 *
 * <p>{@code /jmx} may be open to everybody, so nothing here names a user or a file.
 */
public interface TempTierShuffleInfoMXBean {
  /**
   * The numbers of each medium, fastest first.
   *
   * @return array of medium and the attributes of the {@code TempTierShuffle-<MEDIUM>} beans
   */
  String getMedia();

  /**
   * The lanes, in the order of the tiers.
   *
   * @return array of device, medium, depth, running (reads under way), waiting
   */
  String getLanes();

  /**
   * How far each map output of a running application was fetched since the NodeManager started,
   * least first, {@value ShuffleReport#MOST_OUTPUTS} at most.
   *
   * @return array of attempt and fetched, the share of its partitions that were sent to their last
   *     byte, 0 to 1; an output nobody fetched from is not in it
   */
  String getOutputs();

  /**
   * Demotion.
   *
   * @return object of off (why nothing is demoted; null while it is on) and the attributes of the
   *     {@code TempTierDemotion} bean
   */
  String getDemotion();
}
