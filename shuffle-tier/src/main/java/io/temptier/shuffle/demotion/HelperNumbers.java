// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.demotion.asuser.HelperSessions;

/** Counts what helpers do. */
class HelperNumbers implements HelperSessions.Listener {
  private final DemotionTally tally;

  HelperNumbers(DemotionTally tally) {
    this.tally = tally;
  }

  @Override
  public void started() {
    tally.add(DemotionCounter.HELPER_STARTS, 1);
  }

  @Override
  public void failed(String why) {
    tally.add(DemotionCounter.HELPER_FAILURES, 1);
  }

  @Override
  public void cleaned(int files) {
    tally.add(DemotionCounter.LEFTOVERS_REMOVED, files);
  }
}
