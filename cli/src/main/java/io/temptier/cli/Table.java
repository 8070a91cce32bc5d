// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.lang.Strings;
import io.temptier.tier.text.Quoted;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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

  private final List<Column<T>> columns = new ArrayList<>();

  /** One with a cell for text, or with bytes, of which all have one unit. */
  private static final class Column<T> {
    final String head;
    final @Nullable Function<? super T, String> text;
    final @Nullable ToLongFunction<? super T> bytes;
    final boolean wide;

    Column(
        String head,
        @Nullable Function<? super T, String> text,
        @Nullable ToLongFunction<? super T> bytes,
        boolean wide) {
      this.head = head;
      this.text = text;
      this.bytes = bytes;
      this.wide = wide;
    }

    /** Its heading, then its cells. */
    List<String> cells(Collection<? extends T> rows, String beforeUnit) {
      List<String> cells = new ArrayList<>();
      if (text != null) {
        cells.add(head);
        rows.forEach(row -> cells.add(text.apply(row)));
      } else if (bytes != null) {
        int unit = unit(rows.stream().mapToLong(bytes).max().orElse(0));
        cells.add(head + beforeUnit + UNITS[unit]);
        rows.forEach(row -> cells.add(inUnit(bytes.applyAsLong(row), unit)));
      }
      return cells;
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
  }

  /** A table whose rows are lists of cells. */
  public static Table<List<String>> of(String... heads) {
    Table<List<String>> table = new Table<>();
    IntStream.range(0, heads.length).forEach(i -> table.add(heads[i], row -> row.get(i)));
    return table;
  }

  /** Adds a column; one whose heading begins with {@code >} is set flush right, as numbers are. */
  public Table<T> add(String head, Function<? super T, String> cell) {
    columns.add(new Column<>(head, cell, null, false));
    return this;
  }

  /** Adds a column that is left out where there is no room. */
  public Table<T> wide(String head, Function<? super T, String> cell) {
    columns.add(new Column<>(head, cell, null, true));
    return this;
  }

  /** Adds a column of sizes in bytes; below 0 where there is none. */
  public Table<T> bytes(String head, ToLongFunction<? super T> bytes) {
    columns.add(new Column<>(">" + head, null, bytes, false));
    return this;
  }

  /** Adds a column of sizes that is left out where there is no room. */
  public Table<T> wideBytes(String head, ToLongFunction<? super T> bytes) {
    columns.add(new Column<>(">" + head, null, bytes, true));
    return this;
  }

  /** All columns as text: a row of headings, then the rows. */
  public List<List<String>> cells(Collection<? extends T> rows) {
    List<List<String>> byColumn =
        columns.stream().map(column -> column.cells(rows, ", ")).collect(Immutable.toList());
    List<List<String>> all = new ArrayList<>();
    for (int row = 0; row <= rows.size(); row++) {
      int at = row;
      all.add(byColumn.stream().map(cells -> cells.get(at)).collect(Immutable.toList()));
    }
    return all;
  }

  /** Prints it within {@link #WIDTH}; each line begins with {@code indent}. */
  public void print(PrintWriter out, String indent, Collection<? extends T> rows) {
    lines(indent, rows, WIDTH).forEach(out::println);
  }

  /** The lines, headings first; each begins with {@code indent}. Words are never broken. */
  public List<String> lines(String indent, Collection<? extends T> rows, int width) {
    List<List<String>> shown = new ArrayList<>();
    List<Column<T>> left = new ArrayList<>(columns);
    for (Column<T> column : columns) {
      List<String> cells = new ArrayList<>();
      // Names of files are their users' choice.
      column.cells(rows, " ").forEach(cell -> cells.add(Quoted.oneLine(cell)));
      shown.add(cells);
    }
    for (int i = left.size() - 1; i >= 0 && width(indent, shown) > width; i--) {
      if (left.get(i).wide) {
        left.remove(i);
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
        String rest = Strings.repeat(" ", line.length());
        List<String> wrapped = Wrap.lines(cell, room);
        lines.add(line + wrapped.get(0));
        wrapped.subList(1, wrapped.size()).forEach(more -> lines.add(rest + more));
        return;
      }
      String gap = Strings.repeat(" ", width(column) - cell.length());
      line.append(right ? gap + cell : cell + gap);
    }
    lines.add(Strings.stripTrailing(line.toString()));
  }

  private static int width(List<String> column) {
    int head = column.get(0).length() - (column.get(0).startsWith(">") ? 1 : 0);
    return column.stream().skip(1).mapToInt(String::length).reduce(head, Math::max);
  }

  private static int width(String indent, List<List<String>> columns) {
    return indent.length() + columns.stream().mapToInt(column -> width(column) + 2).sum() - 2;
  }
}
