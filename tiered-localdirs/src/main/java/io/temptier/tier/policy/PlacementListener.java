// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.policy;

import io.temptier.tier.LocalDir;

/** Listener to placements. Called on the writer's thread; must not block. */
public interface PlacementListener {
  default void placed(PlacementRequest request, Placement placement) {}

  /** A placed file is complete, or no longer grows: of this size, or seen so last. */
  default void settled(PlacementRequest request, Placement placement, long bytes) {}

  /** A dir failed and was set aside for a while. */
  default void dirFailed(LocalDir dir, String error) {}
}
