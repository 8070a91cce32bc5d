// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.report;

import io.temptier.cli.Table;
import java.io.PrintWriter;
import java.util.Collection;

/**
 * A table for pages, and for terminals, where wide columns are left out.
 *
 * @param otherwise what is said where there are no rows
 */
public record DataTable<T>(Table<T> columns, Collection<T> rows, String otherwise) {
  public String markup() {
    return rows.isEmpty()
        ? "<p>" + Page.escape(otherwise) + "</p>"
        : Page.table(columns.cells(rows));
  }

  public void print(PrintWriter out) {
    if (rows.isEmpty()) {
      out.println("  " + otherwise);
    } else {
      columns.print(out, "  ", rows);
    }
    out.println();
  }
}
