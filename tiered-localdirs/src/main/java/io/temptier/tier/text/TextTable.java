// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.text;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.lang.Strings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The reader of tables that lie as text files (UTF-8) beside the classes that ask them: a row a
 * line, its cells parted by {@code |} after a space. A line that is empty or begins with {@code #}
 * is no row.
 */
public final class TextTable {
  private static final Pattern BETWEEN = Pattern.compile(" +\\| ?");
  private static final Pattern PLACE = Pattern.compile("\\{(\\d)}");

  private TextTable() {}

  /**
   * The rows of a table, each of so many cells, trimmed; an empty cell is an empty text.
   *
   * @throws IllegalStateException when a row has more or fewer cells
   * @throws NullPointerException when there is no such file
   */
  public static List<List<String>> read(Class<?> beside, String name, int columns) {
    return lines(beside, name).stream()
        .map(
            line -> {
              String[] cells = BETWEEN.split(line, -1);
              if (cells.length != columns) {
                throw new IllegalStateException(
                    name + ": " + cells.length + " cells, not " + columns + ": " + line);
              }
              return Arrays.stream(cells).map(String::trim).collect(Immutable.toList());
            })
        .collect(Immutable.toList());
  }

  /** Reads a table's rows by their first cells, which differ; fails as {@link #read} does. */
  public static Map<String, List<String>> byName(Class<?> beside, String name, int columns) {
    return read(beside, name, columns).stream()
        .collect(Immutable.toMap(row -> row.get(0), row -> row));
  }

  /** The rows as they stand in the file; fails as {@link #read} does. */
  public static List<String> lines(Class<?> beside, String name) {
    try (InputStream in = Objects.requireNonNull(beside.getResourceAsStream(name), name)) {
      return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
          .lines()
          .filter(line -> !line.isEmpty() && !line.startsWith("#"))
          .collect(Immutable.toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A cell with what is said in place of {@code {0}} to {@code {9}}; what is not said stays. */
  public static String fill(String cell, Object... values) {
    return Strings.replaceAll(
        PLACE.matcher(cell),
        place -> {
          int index = Integer.parseInt(place.group(1));
          return index < values.length ? String.valueOf(values[index]) : place.group();
        });
  }
}
