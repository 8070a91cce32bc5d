// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.marker;

import com.google.auto.value.AutoValue;
import io.temptier.tier.TierLayout;

/**
 * The tiers and settings that a node resolved from its configuration and its kernel. The
 * NodeManager publishes it in a marker under each root, so that tasks place by the node's truth
 * without configuration of their own.
 */
@AutoValue
public abstract class NodeTiers {
  public abstract TierLayout layout();

  public abstract TierSettings settings();

  public abstract DemotionSettings demotion();

  public static NodeTiers of(TierLayout layout, TierSettings settings, DemotionSettings demotion) {
    return new AutoValue_NodeTiers(layout, settings, demotion);
  }

  public static NodeTiers of(TierLayout layout, TierSettings settings) {
    return of(layout, settings, DemotionSettings.DEFAULT);
  }

  /** Returns these settings over other tiers, such as a part of the node's. */
  public NodeTiers over(TierLayout other) {
    return NodeTiers.of(other, settings(), demotion());
  }
}
