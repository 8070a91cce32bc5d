// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.text;

import io.temptier.tier.lang.Strings;
import java.util.Locale;
import java.util.regex.Pattern;

/** Texts of others, such as values of properties, as messages show them. */
public final class Quoted {
  /** Longer texts are cut: a value may be a whole file. */
  static final int MOST_CHARS = 100;

  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  private Quoted() {}

  /** The text between quotation marks, at most {@link #MOST_CHARS} of it, on one line. */
  public static String of(String text) {
    return "\"" + brief(text) + "\"";
  }

  public static String brief(String text) {
    return oneLine(cut(text, MOST_CHARS));
  }

  /** The text, cut where it is longer; it then says how long it was. */
  static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    return text.substring(0, end) + "... (" + text.length() + " characters)";
  }

  /** The text with control characters as their codes: a terminal must not obey them. */
  public static String oneLine(String text) {
    return Strings.replaceAll(
        CONTROL.matcher(text),
        found -> String.format(Locale.ROOT, "\\u%04x", (int) found.group().charAt(0)));
  }
}
