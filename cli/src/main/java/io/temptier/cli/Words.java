// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.lang.Strings;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Text for people: counts of things, and what is broken into lines. */
public final class Words {
  private Words() {}

  /** Returns a count with its noun, such as 1 node or 1,024 nodes. */
  public static String plural(long count, String noun) {
    return String.format(Locale.ROOT, "%,d %s%s", count, noun, count == 1 ? "" : "s");
  }

  public static String percent(double share) {
    return Math.round(100 * share) + "%";
  }

  /** Prints text within {@link Table#WIDTH}. */
  public static void wrap(PrintWriter out, String text) {
    wrap(out, text, "", "");
  }

  /** Wraps a text with {@code first} before the first line and {@code rest} before the others. */
  public static void wrap(PrintWriter out, String text, String first, String rest) {
    String before = first;
    for (String line : lines(text, Table.WIDTH - Math.max(first.length(), rest.length()))) {
      out.println(before + line);
      before = rest;
    }
  }

  /**
   * Breaks text at its spaces and line breaks. Words are never broken, nor is what is there to be
   * pasted: lines that begin with {@code <} or {@code export}.
   */
  public static List<String> lines(String text, int width) {
    List<String> lines = new ArrayList<>();
    for (String paragraph : Strings.lines(text).collect(Immutable.toList())) {
      if (paragraph.startsWith("<") || paragraph.startsWith("export ")) {
        lines.add(paragraph);
        continue;
      }
      StringBuilder line = new StringBuilder();
      for (String word : paragraph.split(" ", -1)) {
        if (line.length() > 0 && line.length() + 1 + word.length() > width) {
          lines.add(line.toString());
          line.setLength(0);
        }
        line.append(line.length() == 0 ? "" : " ").append(word);
      }
      lines.add(line.toString());
    }
    return lines;
  }
}
