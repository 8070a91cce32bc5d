// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import java.util.Locale;

/** Counts in words. */
public final class Plural {
  private Plural() {}

  /** So many of a noun, such as 1 node or 1,024 nodes. */
  public static String of(long count, String noun) {
    return String.format(Locale.ROOT, "%,d %s%s", count, noun, count == 1 ? "" : "s");
  }
}
