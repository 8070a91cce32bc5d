// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
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

/** Each fault of {@code docs/reliability.md} names tests that exist. */
final class ReliabilityDocsTest {
  /** An item of the page: its number, its fault in bold; it goes on in lines that are indented. */
  private static final Pattern ITEM =
      Pattern.compile("(?m)^(\\d+)\\. \\*\\*(.+?)\\*\\*.*(?:\\n +.*)*");

  private static final Pattern TEST = Pattern.compile("`(\\w+)\\.(\\w+)`");
  private static final Path CHECKOUT = Path.of("..");

  @Test
  void everyFaultNamesTestsThatExist() throws IOException {
    Map<String, Path> sources = testSources();
    List<String> wrong = new ArrayList<>();
    int faults = 0;
    Matcher item = ITEM.matcher(Files.readString(CHECKOUT.resolve("docs/reliability.md")));
    while (item.find()) {
      faults++;
      assertEquals(Integer.toString(faults), item.group(1), item.group());
      Matcher test = TEST.matcher(item.group());
      int named = 0;
      while (test.find()) {
        named++;
        Path source = sources.get(test.group(1));
        if (source == null || !isTest(Files.readString(source), test.group(2))) {
          wrong.add(test.group() + " of \"" + item.group(2) + "\"");
        }
      }
      assertTrue(named > 0, "no `Class.method` for: " + item.group());
    }
    assertEquals(List.of(), wrong, "in docs/reliability.md, and no test that runs");
    assertTrue(faults > 100, "faults: " + faults);
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
