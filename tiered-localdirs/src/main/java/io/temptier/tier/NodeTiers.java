// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import com.google.auto.value.AutoValue;

/**
 * What a node resolved of its configuration and its kernel. The NodeManager publishes it in a
 * marker under each root, so that tasks place by the node's truth without configuration of their
 * own.
 */
@AutoValue
public abstract class NodeTiers {
  /** The tiers, fastest first. */
  public abstract TierLayout layout();

  /** The knobs. */
  public abstract TierSettings settings();

  public static NodeTiers of(TierLayout layout, TierSettings settings) {
    return new AutoValue_NodeTiers(layout, settings);
  }
}
