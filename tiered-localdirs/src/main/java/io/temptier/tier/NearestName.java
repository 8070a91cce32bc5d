// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import io.temptier.tier.lang.Immutable;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Guesses what somebody meant who mistyped a name. Pure. */
public final class NearestName {
  private NearestName() {}

  /**
   * The name closest to {@code word}, case aside; empty when over a third of the longer differs.
   */
  public static Optional<String> of(String word, Collection<String> names) {
    String best = null;
    int bestDistance = Integer.MAX_VALUE;
    for (String name : names) {
      int most = Math.min(bestDistance - 1, Math.max(word.length(), name.length()) / 3);
      if (Math.abs(word.length() - name.length()) <= most) {
        int distance = distance(word.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
        if (distance <= most) {
          best = name;
          bestDistance = distance;
        }
      }
    }
    return Optional.ofNullable(best);
  }

  /** The medium somebody meant by {@code tag}, if one can be guessed. */
  public static Optional<Medium> ofMedium(String tag) {
    String name = tag.trim().toUpperCase(Locale.ROOT).replace('-', '_');
    for (Medium medium : Medium.values()) {
      if (medium.otherNames().contains(name)) {
        return Optional.of(medium);
      }
    }
    return of(name, Arrays.stream(Medium.values()).map(Medium::name).collect(Immutable.toList()))
        .map(Medium::valueOf);
  }

  /**
   * Counts the letters that must be inserted, deleted, replaced or swapped with their neighbour to
   * make one word of the other. Takes time in the product of the lengths; words beyond 200 letters
   * are cut.
   */
  public static int distance(String a, String b) {
    String from = a.substring(0, Math.min(a.length(), 200));
    String to = b.substring(0, Math.min(b.length(), 200));
    int[][] cost = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        cost[i][j] = cost(from, to, i, j, cost);
      }
    }
    return cost[from.length()][to.length()];
  }

  private static int cost(String from, String to, int i, int j, int[][] cost) {
    if (i == 0 || j == 0) {
      return i + j;
    }
    boolean same = from.charAt(i - 1) == to.charAt(j - 1);
    int best =
        Math.min(cost[i - 1][j - 1] + (same ? 0 : 1), 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
    boolean swapped =
        i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1);
    return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
  }
}
