// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Quoted;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/**
 * A table: each column has its heading, and the text of its cell in any row. As text its columns
 * stand two spaces apart, within a width: columns that may be left out are, the last first, then
 * the last column is wrapped. Not thread-safe.
 */
public final class Table<T> {
  /** The columns of a terminal as it comes. */
  public static final int WIDTH = 80;

  private static final int LEAST_WRAPPED = 24;
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

  /** Each column's heading, then its cells. */
  private final List<Function<Collection<? extends T>, List<String>>> columns = new ArrayList<>();

  private final Set<Integer> wide = new HashSet<>();

  /** Adds a column; one whose heading begins with {@code >} is set flush right, as numbers are. */
  public Table<T> add(String head, Function<? super T, String> cell) {
    columns.add(rows -> cells(head, rows, cell));
    return this;
  }

  /** Adds a column that is left out where there is no room. */
  public Table<T> wide(String head, Function<? super T, String> cell) {
    wide.add(columns.size());
    return add(head, cell);
  }

  /** Adds a column of sizes in bytes, of which all have one unit; below 0 where there is none. */
  public Table<T> bytes(String head, ToLongFunction<? super T> bytes) {
    columns.add(
        rows -> {
          int unit = unit(rows.stream().mapToLong(bytes).max().orElse(0));
          String withUnit = ">" + head + " " + UNITS[unit];
          return cells(withUnit, rows, row -> inUnit(bytes.applyAsLong(row), unit));
        });
    return this;
  }

  public Table<T> wideBytes(String head, ToLongFunction<? super T> bytes) {
    wide.add(columns.size());
    return bytes(head, bytes);
  }

  private static <T> List<String> cells(
      String head, Collection<? extends T> rows, Function<? super T, String> cell) {
    return Stream.concat(Stream.of(head), rows.stream().map(cell)).collect(Immutable.toList());
  }

  private static int unit(long most) {
    int unit = 0;
    for (double left = most; left >= 1000 && unit < UNITS.length - 1; left /= 1024) {
      unit++;
    }
    return unit;
  }

  private static String inUnit(long bytes, int unit) {
    if (bytes <= 0 || unit == 0) {
      return bytes < 0 ? "-" : bytes + "";
    }
    double value = bytes / Math.pow(1024, unit);
    return value < 0.05 ? "<0.1" : String.format(Locale.ROOT, "%.1f", value);
  }

  /** All columns as text: a row of headings, then the rows. */
  public List<List<String>> cells(Collection<? extends T> rows) {
    List<List<String>> all = new ArrayList<>();
    columns.forEach(column -> all.add(column.apply(rows)));
    return IntStream.rangeClosed(0, rows.size())
        .mapToObj(i -> all.stream().map(cells -> cells.get(i)).collect(Immutable.toList()))
        .collect(Immutable.toList());
  }

  /** Prints it within {@link #WIDTH}; each line begins with {@code indent}. */
  public void print(PrintWriter out, String indent, Collection<? extends T> rows) {
    print(out, indent, rows, WIDTH);
  }

  public void print(PrintWriter out, String indent, Collection<? extends T> rows, int width) {
    lines(indent, rows, width).forEach(out::println);
  }

  /** The lines, headings first; each begins with {@code indent}. Words are never broken. */
  public List<String> lines(String indent, Collection<? extends T> rows, int width) {
    List<List<String>> shown = new ArrayList<>();
    // Names of files are their users' choice.
    for (Function<Collection<? extends T>, List<String>> column : columns) {
      shown.add(column.apply(rows).stream().map(Quoted::oneLine).collect(Immutable.toList()));
    }
    for (int i = columns.size() - 1; i >= 0 && width(indent, shown) > width; i--) {
      if (wide.contains(i)) {
        shown.remove(i);
      }
    }
    List<String> lines = new ArrayList<>();
    for (int row = 0; row <= rows.size(); row++) {
      line(indent, shown, row, width, lines);
    }
    return lines;
  }

  private static void line(
      String indent, List<List<String>> columns, int row, int width, List<String> lines) {
    StringBuilder line = new StringBuilder(indent);
    int last = columns.size() - 1;
    for (int i = 0; i <= last; i++) {
      List<String> column = columns.get(i);
      boolean right = column.get(0).startsWith(">");
      String cell = row == 0 && right ? column.get(0).substring(1) : column.get(row);
      line.append(i == 0 ? "" : "  ");
      int room = width - line.length();
      if (i == last && !right && cell.length() > room && room >= LEAST_WRAPPED) {
        String rest = spaces(line.length());
        List<String> wrapped = Words.lines(cell, room);
        lines.add(line + wrapped.get(0));
        wrapped.subList(1, wrapped.size()).forEach(more -> lines.add(rest + more));
        return;
      }
      String gap = spaces(width(column) - cell.length());
      line.append(right ? gap + cell : cell + gap);
    }
    lines.add(line.toString().replaceFirst("\\s+$", ""));
  }

  private static String spaces(int number) {
    return String.join("", Collections.nCopies(number, " "));
  }

  private static int width(List<String> column) {
    int head = column.get(0).length() - (column.get(0).startsWith(">") ? 1 : 0);
    return column.stream().skip(1).mapToInt(String::length).reduce(head, Math::max);
  }

  private static int width(String indent, List<List<String>> columns) {
    return indent.length() + columns.stream().mapToInt(column -> width(column) + 2).sum() - 2;
  }

  /** Mixin with the option {@code --wide}. */
  public static final class Wide {
    @Option(
        names = "--wide",
        description =
            "Show all columns of tables, however long lines become; without it they fit 80.")
    private boolean wide;

    public int width() {
      return wide ? Integer.MAX_VALUE : Table.WIDTH;
    }
  }
}
