// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import io.temptier.tier.text.TextTable;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What the doctor of a node's configuration says: the table {@code troubles.txt} beside this class,
 * whose head says what its columns mean.
 */
final class Troubles {
  private static final String PUT = "PUT ";

  /** The cells of each row, by its name. */
  private static final Map<String, List<String>> ROWS =
      TextTable.read(Troubles.class, "troubles.txt", 4).stream()
          .collect(Immutable.toMap(row -> row.get(0), row -> row));

  private Troubles() {}

  static Map<String, List<String>> rows() {
    return ROWS;
  }

  /**
   * A row, said of a property.
   *
   * @param said what stands in it for {@code {0}}, {@code {1}} and so on
   */
  static Finding of(String name, String key, String value, String origin, Object... said) {
    List<String> row = Objects.requireNonNull(ROWS.get(name), name);
    // Both are looked for in the table's own words: what is said may hold them, too.
    String remedy = row.get(3).replace("\\n", "\n");
    int put = remedy.indexOf(PUT);
    return Finding.of(
        Severity.valueOf(row.get(1)),
        key,
        value,
        origin,
        TextTable.fill(row.get(2), said),
        put < 0
            ? TextTable.fill(remedy, said)
            : TextTable.fill(remedy.substring(0, put), said)
                + Paste.into(
                    Rollout.YARN_SITE,
                    key,
                    TextTable.fill(remedy.substring(put + PUT.length()), said)));
  }
}
