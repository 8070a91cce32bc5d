// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;

/** Hears of map outputs whose place changed. Called on the demotion thread; must not block. */
@FunctionalInterface
public interface MoveListener {
  /**
   * An output lies elsewhere now. The path it was found at still leads to its data, at the speed of
   * the slower device, except after the clean-up of a move that a crash cut short: then one of two
   * equal copies is gone.
   */
  void moved(MapOutputId id);
}
