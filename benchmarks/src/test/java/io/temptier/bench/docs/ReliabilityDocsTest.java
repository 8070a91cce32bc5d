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

/** Compares the fault table of {@code docs/reliability.md} with the tests that exist. */
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

  /** A row of the table of faults. */
  private record Row(String fault, List<String> cells) {}

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
      assertEquals(4, row.cells().size(), "a | in a cell, or a missing one: " + row);
      assertFalse(row.cells().stream().anyMatch(String::isBlank), "an empty cell: " + row);
      Matcher test = TEST.matcher(row.cells().get(3));
      int named = 0;
      while (test.find()) {
        named++;
        Path source = sources.get(test.group(1));
        if (source == null || !isTest(Files.readString(source), test.group(2))) {
          wrong.add(test.group() + " of \"" + row.fault() + "\"");
        }
      }
      assertTrue(named > 0, "no `Class.method` in the last cell: " + row);
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

  /** The rows of the tables with four columns that begin with a fault. */
  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    boolean faults = false;
    for (String line : Files.readAllLines(CHECKOUT.resolve("docs/reliability.md"))) {
      if (!line.startsWith("|")) {
        faults = false;
      } else if (line.startsWith("| fault |")) {
        faults = true;
      } else if (faults && !line.startsWith("| ---")) {
        List<String> cells =
            Stream.of(line.substring(1).split("\\|", -1)).map(String::trim).toList();
        rows.add(new Row(cells.get(0), cells.subList(0, cells.size() - 1)));
      }
    }
    return rows;
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
