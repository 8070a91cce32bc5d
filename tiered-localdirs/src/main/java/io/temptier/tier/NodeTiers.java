// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

/**
 * What a node resolved of its configuration and its kernel. The NodeManager publishes it in a
 * marker under each root, so that tasks place by the node's truth without configuration of their
 * own.
 *
 * @param layout the tiers, fastest first
 * @param settings the knobs of placement
 * @param demotion the knobs of demotion
 */
public record NodeTiers(TierLayout layout, TierSettings settings, DemotionSettings demotion) {
  /** A node that demotes by default. */
  public NodeTiers(TierLayout layout, TierSettings settings) {
    this(layout, settings, DemotionSettings.DEFAULT);
  }

  /** The same knobs over other tiers, such as a part of the node's. */
  public NodeTiers over(TierLayout other) {
    return new NodeTiers(other, settings, demotion);
  }
}
