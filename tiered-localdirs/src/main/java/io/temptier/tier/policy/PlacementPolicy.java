// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.policy;

import java.util.Optional;

/**
 * Decides where a file goes. Implementations are pure: no I/O, no clock, no state, no randomness
 * but the request's ticket; so {@code temptier plan} can run them by the million. Safe for use by
 * many threads.
 */
public interface PlacementPolicy {
  /**
   * Chooses a dir.
   *
   * @param tiers all tiers, fastest first
   * @return the decision, or empty when no tier holds the file within its reserve, caps and limits
   */
  Optional<Placement> choose(PlacementRequest request, TierStates tiers);
}
