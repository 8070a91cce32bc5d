// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.report;

import java.util.List;

/** Colours that differ, for things without one of their own. */
public final class Palette {
  private static final List<String> COLOURS =
      List.of("#1f6feb", "#c58b1a", "#12805c", "#b3261e", "#7a4fbf", "#5c6b7d");

  private Palette() {}

  /**
   * The colour of a thing; after six they begin again.
   *
   * @param number its place in its list, from 0
   */
  public static String colour(int number) {
    return COLOURS.get(number % COLOURS.size());
  }
}
