// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import io.temptier.tier.LocalDir;

/**
 * Lets a move go on, has it wait, or stops it. The mover asks before each step; where only its pace
 * is bounded, nothing stops a move.
 */
@FunctionalInterface
public interface MoveControl {
  /** Throws when the move is not to go on. */
  default void check() throws MoveStoppedException {}

  /** Waits until {@code bytes} may be written to {@code target}; throws as {@link #check} does. */
  void pass(LocalDir target, long bytes) throws MoveStoppedException;

  /** True if others want the device of {@code target} and may have it for themselves. */
  default boolean yieldsTo(LocalDir target) {
    return false;
  }

  /** Waits while others want the device of {@code target}; throws as {@link #check} does. */
  default void yieldTo(LocalDir target) throws MoveStoppedException {}

  /** Something of the move could not be taken back: it is to be looked for. */
  default void left() {}

  /** True if the application is known to run no more. */
  default boolean ended() {
    return false;
  }
}
