// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import io.temptier.tier.lang.Immutable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/** The columns of a table: each has its heading, and the text of its cell in any row. */
public final class Columns<T> {
  private final List<String> heads = new ArrayList<>();
  private final List<Function<? super T, String>> cells = new ArrayList<>();

  /** Adds a column; one whose heading begins with {@code >} is set flush right, as numbers are. */
  public Columns<T> add(String head, Function<? super T, String> cell) {
    heads.add(head);
    cells.add(cell);
    return this;
  }

  public List<String> heads() {
    return heads;
  }

  /** The cells of each row. */
  public List<List<String>> rows(Collection<? extends T> rows) {
    return rows.stream()
        .map(row -> cells.stream().map(cell -> cell.apply(row)).collect(Immutable.toList()))
        .collect(Immutable.toList());
  }

  /** The table as text. */
  public Table table(Collection<? extends T> rows) {
    Table table = new Table(heads.toArray(new String[0]));
    rows(rows).forEach(row -> table.row(row.toArray(new String[0])));
    return table;
  }
}
