// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.placer.Placer;
import java.io.IOException;

/** Moves an output that is complete. */
@FunctionalInterface
interface Mover {
  /**
   * Moves it.
   *
   * @param below places in the slower tiers
   * @return where it lies now
   * @throws MoveStoppedException when it was not to be moved, or not on
   * @throws IOException when that failed; the message has the dir
   */
  LocalDir move(Candidate candidate, Placer below, MoveGate gate) throws IOException;
}
