// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

/**
 * TempTier's shuffle handler in this NodeManager, as JSON texts: {@code
 * Hadoop:service=NodeManager,name=TempTierShuffleInfo}, as {@code /jmx} shows it. What the numbers
 * mean is in {@code docs/metrics.md}.
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
   * Demotion.
   *
   * @return object of off (why nothing is demoted; null while it is on) and the attributes of the
   *     {@code TempTierDemotion} bean
   */
  String getDemotion();
}
