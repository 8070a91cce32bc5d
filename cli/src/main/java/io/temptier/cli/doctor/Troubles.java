// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.lang.Strings;
import io.temptier.tier.os.Io;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * What the doctor of a node's configuration says: the table {@code troubles.txt} beside this class,
 * whose head says what its columns mean.
 */
final class Troubles {
  private static final int COLUMNS = 4;
  private static final String PUT = "PUT ";
  private static final Pattern FILLED = Pattern.compile("\\{(\\d)}");

  /** The cells of each row, by its name. */
  private static final Map<String, String[]> ROWS = read();

  private Troubles() {}

  static Map<String, String[]> rows() {
    return ROWS;
  }

  /**
   * A row, said of a property.
   *
   * @param said what stands in it for {@code {0}}, {@code {1}} and so on
   */
  static Finding of(String name, String key, String value, String origin, Object... said) {
    String[] row = Objects.requireNonNull(ROWS.get(name), name);
    int put = row[3].indexOf(PUT);
    String remedy =
        put < 0
            ? filled(row[3], said)
            : filled(row[3].substring(0, put), said)
                + Paste.into(
                    Rollout.YARN_SITE, key, filled(row[3].substring(put + PUT.length()), said));
    return Finding.of(Severity.valueOf(row[1]), key, value, origin, filled(row[2], said), remedy);
  }

  private static String filled(String text, Object... said) {
    return Strings.replaceAll(
        FILLED.matcher(text), place -> String.valueOf(said[Integer.parseInt(place.group(1))]));
  }

  private static Map<String, String[]> read() {
    try (InputStream in =
        Objects.requireNonNull(Troubles.class.getResourceAsStream("troubles.txt"))) {
      return Strings.lines(new String(Io.readAllBytes(in), StandardCharsets.UTF_8))
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.replace("\\n", "\n").split(" \\| ", COLUMNS))
          .collect(Immutable.toMap(row -> row[0], row -> row));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
