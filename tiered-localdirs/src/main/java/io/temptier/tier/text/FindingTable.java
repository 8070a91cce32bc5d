// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.text;

import io.temptier.tier.text.Finding.Severity;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The findings that a check of a node's configuration may have, a table beside its class: name, how
 * bad it is, what it is and what follows, remedy.
 */
public final class FindingTable {
  private static final String STAYS_OFF =
      " TempTier stays off on this node, which behaves as stock Hadoop.";

  private final Map<String, List<String>> rows;

  /** A table, as {@link TextTable#byName} has it. */
  public FindingTable(Class<?> beside, String name) {
    rows = TextTable.byName(beside, name, 4);
  }

  /** Makes a row's finding about a property; {@code values} stand for {@code {0}} and so on. */
  public Finding of(String name, String key, String value, String origin, Object... values) {
    List<String> row = Objects.requireNonNull(rows.get(name), name);
    Severity severity = Severity.valueOf(row.get(1));
    String what = TextTable.fill(row.get(2), values);
    return Finding.of(
        severity,
        key,
        value,
        origin,
        severity == Severity.ERROR ? what + STAYS_OFF : what,
        TextTable.fill(row.get(3), values));
  }
}
