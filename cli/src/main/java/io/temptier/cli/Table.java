// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import io.temptier.tier.Quoted;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.lang.Strings;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Rows of text in columns, two spaces apart. Not thread-safe. */
public final class Table {
  private final List<List<String>> rows = new ArrayList<>();
  private final boolean[] right;

  /**
   * A table of these columns; those that begin with {@code >} are set flush right, as numbers are.
   */
  public Table(String... headings) {
    right = new boolean[headings.length];
    List<String> names = new ArrayList<>();
    for (int i = 0; i < headings.length; i++) {
      right[i] = headings[i].startsWith(">");
      names.add(right[i] ? headings[i].substring(1) : headings[i]);
    }
    rows.add(names);
  }

  /** Adds a row of as many cells as there are columns. */
  public void row(String... cells) {
    if (cells.length != right.length) {
      throw new IllegalArgumentException(cells.length + " cells in " + right.length + " columns");
    }
    // Names of files are their users' choice.
    rows.add(Stream.of(cells).map(Quoted::oneLine).collect(Immutable.toList()));
  }

  /** Prints the lines, headings first; each begins with {@code indent}. */
  public void print(PrintWriter out, String indent) {
    lines(indent).forEach(out::println);
  }

  /** The lines, headings first; each begins with {@code indent}. */
  public List<String> lines(String indent) {
    int[] widths = new int[right.length];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder(indent);
      for (int i = 0; i < widths.length; i++) {
        String gap = Strings.repeat(" ", widths[i] - row.get(i).length());
        line.append(i == 0 ? "" : "  ").append(right[i] ? gap + row.get(i) : row.get(i) + gap);
      }
      lines.add(Strings.stripTrailing(line.toString()));
    }
    return lines;
  }
}
