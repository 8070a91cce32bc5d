// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import com.google.auto.value.AutoValue;
import io.temptier.shuffle.demotion.asuser.ApplicationUser;
import io.temptier.shuffle.demotion.asuser.HelperSessions;
import io.temptier.shuffle.output.MapOutputId;

/** Counts what helpers do. */
@AutoValue
abstract class HelperNumbers implements HelperSessions.Listener {
  /** Where. */
  abstract DemotionTally tally();

  /** Told of outputs one copy of which is gone. */
  abstract MoveListener moved();

  static HelperNumbers of(DemotionTally tally, MoveListener moved) {
    return new AutoValue_HelperNumbers(tally, moved);
  }

  @Override
  public void started() {
    tally().add(DemotionCounter.HELPER_STARTS, 1);
  }

  @Override
  public void failed(ApplicationUser who, String why) {
    tally().add(DemotionCounter.HELPER_FAILURES, 1);
  }

  @Override
  public void cleaned(ApplicationUser who, String attempt) {
    MapOutputId id = MapOutputId.of(who.user(), who.application(), attempt);
    // A user's process says so, and may say anything.
    if (id.plain()) {
      tally().add(DemotionCounter.LEFTOVERS_REMOVED, 1);
      moved().moved(id);
    }
  }
}
