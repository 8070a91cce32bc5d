// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the fault tables of {@code docs/reliability.md} with the tests that exist. */
final class ReliabilityDocsTest {
  /** What each row's fault begins with; there must be one for each of these. */
  private static final List<String> FAULTS =
      List.of(
          "fast tier full mid-write",
          "inodes out",
          "read-only remount",
          "dir deleted and made again",
          "mount lost and back",
          "EIO",
          "slow disk frozen under placement",
          "slow disk frozen under look-up",
          "slow disk frozen under fetch",
          "slow disk frozen under demotion",
          "slow disk frozen under the journal",
          "fast disk frozen",
          "NodeManager kill -9 at each step of a move",
          "task kill -9 with claims",
          "32 processes racing",
          "two users, umask 077",
          "hostile claims",
          "hostile links",
          "hostile FIFOs",
          "hostile indexes",
          "stalled clients",
          "slow clients",
          "flooding clients",
          "malformed HTTP",
          "application ended mid-fetch",
          "application ended mid-move",
          "demotion into a full disk",
          "clock jumps in file times",
          "paused process",
          "two dirs on one pool",
          "NodeManager restart mid-job",
          "wrong configuration");

  private static final Pattern TEST = Pattern.compile("`(\\w+)\\.(\\w+)`");
  private static final Path CHECKOUT = Path.of("..");

  /**
   * A row of the tables of faults.
   *
   * @param cells number, fault, what stock does where the table says it, what TempTier does
   * @param tests what stands below the table by the row's number
   */
  private record Row(List<String> cells, String tests) {
    String fault() {
      return cells.get(1);
    }
  }

  @Test
  void everyFaultHasARow() throws IOException {
    List<String> rows = rows().stream().map(Row::fault).toList();
    List<String> without =
        FAULTS.stream()
            .filter(fault -> rows.stream().noneMatch(row -> row.startsWith(fault)))
            .toList();
    assertEquals(List.of(), without, "faults without a row in docs/reliability.md");
  }

  @Test
  void everyRowNamesTestsThatExist() throws IOException {
    Map<String, Path> sources = testSources();
    List<String> wrong = new ArrayList<>();
    for (Row row : rows()) {
      assertFalse(row.cells().stream().anyMatch(String::isBlank), "an empty cell: " + row);
      Matcher test = TEST.matcher(row.tests());
      int named = 0;
      while (test.find()) {
        named++;
        Path source = sources.get(test.group(1));
        if (source == null || !isTest(Files.readString(source), test.group(2))) {
          wrong.add(test.group() + " of \"" + row.fault() + "\"");
        }
      }
      assertTrue(named > 0, "no `Class.method` below the table for: " + row);
    }
    assertEquals(List.of(), wrong, "in docs/reliability.md, and no test that runs");
  }

  @Test
  void aDisabledOrMissingTestIsNone() {
    assertTrue(isTest("@Test\n void a() {}", "a"));
    assertTrue(
        isTest("@ParameterizedTest\n @ValueSource(ints = {1})\n default void a(int b)", "a"));
    assertFalse(isTest("@Test\n void a() {}\n void b() {}", "b"));
    assertFalse(isTest("@Disabled(\"why\")\n @Test\n void a() {}", "a"));
    assertFalse(isTest("@Disabled class C {\n @Test\n void a() {}", "a"));
    assertFalse(isTest("@Test\n void ab() {}", "a"));
  }

  private static boolean isTest(String source, String method) {
    Matcher declared = Pattern.compile("\\bvoid " + method + "\\(").matcher(source);
    if (!declared.find() || source.matches("(?s).*@Disabled[^{]*\\b(class|interface) \\w+.*")) {
      return false;
    }
    String before = source.substring(0, declared.start());
    // From the end of the member before; annotations may hold braces, but end no line with one.
    int begin = before.lastIndexOf("}\n") + 1;
    String annotations = before.substring(begin);
    return annotations.matches("(?s).*@(Test|ParameterizedTest|RepeatedTest)\\b.*")
        && !annotations.contains("@Disabled");
  }

  /** The rows of the tables whose columns begin with a number and a fault, counted through. */
  private static List<Row> rows() throws IOException {
    String page = Files.readString(CHECKOUT.resolve("docs/reliability.md"));
    List<Row> rows = new ArrayList<>();
    long columns = 0;
    for (String line : page.lines().toList()) {
      if (!line.startsWith("|")) {
        columns = 0;
      } else if (line.startsWith("| # | fault |")) {
        columns = bars(line);
      } else if (columns > 0 && !line.startsWith("| ---")) {
        assertEquals(columns, bars(line), "a | in a cell, or a missing one: " + line);
        String number = Integer.toString(rows.size() + 1);
        List<String> cells = Stream.of(line.split("\\|", -1)).map(String::strip).toList();
        cells = cells.subList(1, cells.size() - 1);
        assertEquals(number, cells.get(0), line);
        rows.add(new Row(cells, tests(page, number)));
      }
    }
    return rows;
  }

  private static long bars(String line) {
    return line.chars().filter(c -> c == '|').count();
  }

  /** The item of that number; it goes on in lines that are indented. */
  private static String tests(String page, String number) {
    Matcher item = Pattern.compile("(?m)^" + number + "\\. .*(?:\n +.*)*").matcher(page);
    return item.find() ? item.group() : "";
  }

  private static Map<String, Path> testSources() throws IOException {
    Map<String, Path> found = new HashMap<>();
    try (Stream<Path> modules = Files.list(CHECKOUT)) {
      for (Path tests : modules.map(module -> module.resolve("src/test/java")).toList()) {
        if (Files.isDirectory(tests)) {
          try (Stream<Path> files = Files.walk(tests)) {
            files
                .filter(file -> file.toString().endsWith(".java"))
                .forEach(file -> found.put(className(file), file));
          }
        }
      }
    }
    return found;
  }

  private static String className(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }
}
