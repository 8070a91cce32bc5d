// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.text;

import com.google.auto.value.AutoValue;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Finding of a configuration check. The NodeManager logs it at start, the doctor prints it. */
@AutoValue
public abstract class Finding {
  public abstract Severity severity();

  public abstract String key();

  /** Value of the key, or what was found in its place. */
  public abstract String value();

  /** Origin of the value, such as a file name or {@code default}. */
  public abstract String origin();

  public abstract String consequence();

  public abstract String remedy();

  public enum Severity {
    INFO,
    /** Works, but not as well as it could. */
    WARNING,
    /** Could not be told from here, so it is not known to work. The doctor's only. */
    UNKNOWN,
    /** TempTier stays off and stock Hadoop behaviour applies until this is mended. */
    ERROR
  }

  /** A list of dirs is shown in full; what is longer than any is cut. */
  private static final int MOST_CHARS = 2000;

  public static Finding of(
      Severity severity,
      String key,
      String value,
      String origin,
      String consequence,
      String remedy) {
    key = Quoted.cut(key, Quoted.MOST_CHARS);
    value = Quoted.cut(value, MOST_CHARS);
    consequence = Quoted.cut(consequence, MOST_CHARS);
    return new AutoValue_Finding(severity, key, value, origin, consequence, remedy);
  }

  /** Returns this finding, as a remark if it is a WARNING of an accepted key or value. */
  public final Finding accepted(Set<String> accepted) {
    return severity() == Severity.WARNING
            && (accepted.contains(key()) || accepted.contains(value()))
        ? of(
            Severity.INFO,
            key(),
            value(),
            origin(),
            consequence(),
            "It is accepted: nothing to do.")
        : this;
  }

  @Override
  public final String toString() {
    return Quoted.oneLine(
        String.format(
            "%s %s=%s (%s): %s %s", severity(), key(), value(), origin(), consequence(), remedy()));
  }

  /**
   * The findings that a check of a node's configuration may have, a table beside its class: name,
   * how bad it is, what it is and what follows, remedy.
   */
  public static final class Table {
    private static final String STAYS_OFF =
        " TempTier stays off on this node, which behaves as stock Hadoop.";

    private final Map<String, List<String>> rows;

    public Table(Class<?> beside, String name) {
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
}
