// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.report;

import io.temptier.cli.Table;
import io.temptier.cli.report.Page;
import java.io.PrintWriter;
import java.util.List;

/**
 * A table for pages and terminals.
 *
 * @param heads those that begin with {@code >} are set flush right, as numbers are
 */
public record DataTable(List<String> heads, List<List<String>> rows) {
  public DataTable(String heads, List<List<String>> rows) {
    this(List.of(heads.split("\\|", -1)), rows);
  }

  /** For a page; nothing but a sentence where there are no rows. */
  public String markup(String otherwise) {
    return rows.isEmpty() ? "<p>" + Page.escape(otherwise) + "</p>" : Page.table(heads, rows);
  }

  /** This without its first column. */
  public DataTable withoutFirst() {
    return new DataTable(
        heads.subList(1, heads.size()),
        rows.stream().map(row -> row.subList(1, row.size())).toList());
  }

  public void print(PrintWriter out) {
    Table.of(heads.toArray(String[]::new))
        .lines("  ", rows, Integer.MAX_VALUE)
        .forEach(out::println);
    out.println();
  }
}
