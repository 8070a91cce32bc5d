// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.demotion.asuser.ApplicationUser;
import io.temptier.shuffle.demotion.asuser.HelperSessions;
import io.temptier.shuffle.output.MapOutputId;

/**
 * Counts what helpers do.
 *
 * @param tally where
 * @param moved told of outputs one copy of which is gone
 */
record HelperNumbers(DemotionTally tally, MoveListener moved) implements HelperSessions.Listener {
  @Override
  public void started() {
    tally.add(DemotionCounter.HELPER_STARTS, 1);
  }

  @Override
  public void failed(ApplicationUser who, String why) {
    tally.add(DemotionCounter.HELPER_FAILURES, 1);
  }

  @Override
  public void cleaned(ApplicationUser who, String attempt) {
    MapOutputId id = new MapOutputId(who.user(), who.application(), attempt);
    // A user's process says so, and may say anything.
    if (id.plain()) {
      tally.add(DemotionCounter.LEFTOVERS_REMOVED, 1);
      moved.moved(id);
    }
  }
}
