// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.slow;

/** How one dir fared in the last windows: the counting behind {@link SlowDirs}. */
final class SlowStreak {
  private boolean slow;
  private int doublings;

  /** Whether it was slow before, and is not forgiven yet. */
  private boolean relapsing;

  /** While not slow: slow windows in a row. */
  private int bad;

  /** While slow: windows since the last slow one. Else: good ones since it was tried again. */
  private int calm;

  /** Those of {@link #calm} in which it was at work. */
  private int good;

  boolean slow() {
    return slow;
  }

  /**
   * Hears of a window.
   *
   * @param atWork whether it had enough I/Os to tell
   * @param isBad whether they were slower than below; false when not at work
   * @return how many windows led to a change, 0 when nothing changed
   */
  int hear(boolean atWork, boolean isBad) {
    return slow ? hearSlow(atWork, isBad) : hearSound(atWork, isBad);
  }

  private int hearSound(boolean atWork, boolean isBad) {
    if (!isBad) {
      bad = 0;
      good += atWork ? 1 : 0;
      relapsing &= good < SlowDirs.FORGIVEN_WINDOWS;
      return 0;
    }
    if (++bad < SlowDirs.BAD_WINDOWS) {
      return 0;
    }
    doublings = relapsing ? Math.min(doublings + 1, SlowDirs.MOST_DOUBLINGS) : 0;
    int windows = bad;
    turn(true);
    return windows;
  }

  private int hearSlow(boolean atWork, boolean isBad) {
    if (isBad) {
      calm = 0;
      good = 0;
      return 0;
    }
    calm++;
    good += atWork ? 1 : 0;
    if (good < SlowDirs.GOOD_WINDOWS << doublings && calm < SlowDirs.CALM_WINDOWS << doublings) {
      return 0;
    }
    int windows = calm;
    relapsing = true;
    turn(false);
    return windows;
  }

  private void turn(boolean toSlow) {
    slow = toSlow;
    bad = 0;
    calm = 0;
    good = 0;
  }
}
