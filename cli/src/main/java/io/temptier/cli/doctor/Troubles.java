// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import io.temptier.tier.text.TextTable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** Findings of the node doctor, by the table {@code troubles.txt}; its head explains columns. */
public final class Troubles {
  private static final String PUT = "PUT ";

  static final Map<String, List<String>> ROWS = TextTable.byName(Troubles.class, "troubles.txt", 4);

  private Troubles() {}

  /** A row, said of a property, with what stands in it for {@code {0}}, {@code {1}} and so on. */
  static Finding of(String name, String key, String value, String origin, Object... values) {
    List<String> row = Objects.requireNonNull(ROWS.get(name), name);
    String remedy =
        remedy(
            row.get(3).replace("\\n", "\n"),
            Rollout.YARN_SITE,
            key,
            words -> TextTable.fill(words, values));
    String what = TextTable.fill(row.get(2), values);
    return Finding.of(Severity.valueOf(row.get(1)), key, value, origin, what, remedy);
  }

  /**
   * A remedy of a table, filled. After {@code PUT} in the table's own words, and not in what fills
   * them, stands the value of a property that is to be pasted into a file.
   */
  public static String remedy(String words, String file, String key, UnaryOperator<String> filled) {
    int put = words.indexOf(PUT);
    return put < 0
        ? filled.apply(words)
        : filled.apply(words.substring(0, put))
            + ("Put into " + file + ":\n")
            + property(key, filled.apply(words.substring(put + PUT.length())));
  }

  /** A property in Hadoop's XML, on one line. */
  static String property(String key, String value) {
    String escaped = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    return "<property><name>" + key + "</name><value>" + escaped + "</value></property>";
  }
}
