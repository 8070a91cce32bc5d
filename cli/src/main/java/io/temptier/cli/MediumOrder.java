// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import io.temptier.tier.Medium;
import java.util.Comparator;

/** Names of media as nodes tell them. */
public final class MediumOrder {
  /** Fastest first; what a newer node knows and this command does not comes last, by name. */
  public static final Comparator<String> FASTEST_FIRST =
      Comparator.comparingInt(MediumOrder::rank).thenComparing(Comparator.naturalOrder());

  private MediumOrder() {}

  private static int rank(String medium) {
    return Medium.parse(medium).map(Enum::ordinal).orElse(Integer.MAX_VALUE);
  }
}
