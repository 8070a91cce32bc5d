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
import org.junit.jupiter.api.Test;

/** What README says was measured stands in {@code docs/results.md}, under a command. */
final class ReadmeFiguresTest {
  private static final Path CHECKOUT = Path.of("..");
  private static final Pattern LINK = Pattern.compile("\\(docs/results\\.md#([^)]+)\\)");
  private static final Pattern NUMBER =
      Pattern.compile("(?<![\\w.])\\d+(?:\\.\\d+)?(?![\\w.]*\\d)");

  @Test
  void everyFigureOfTheTableIsInTheSectionItLinksTo() throws IOException {
    Map<String, String> sections = sections(CHECKOUT.resolve("docs/results.md"));
    List<String> wrong = new ArrayList<>();
    int rows = 0;
    for (String line : readmeSection("## What was measured").lines().toList()) {
      Matcher link = LINK.matcher(line);
      if (!line.startsWith("| ") || !link.find()) {
        continue;
      }
      rows++;
      String section = sections.getOrDefault(link.group(1), "");
      if (!section.contains("```sh\n")) {
        wrong.add("no command in results.md#" + link.group(1));
      }
      // The first cell says what was run.
      Matcher number = NUMBER.matcher(line.substring(line.indexOf(" | ", 2)));
      int figures = 0;
      while (number.find()) {
        figures++;
        if (!holds(section, number.group())) {
          wrong.add(number.group() + " is not in results.md#" + link.group(1) + ": " + line);
        }
      }
      assertTrue(figures >= 3, line);
    }
    assertEquals(List.of(), wrong);
    assertTrue(rows >= 6, "rows with a link to results.md: " + rows);
  }

  private static boolean holds(String text, String number) {
    return Pattern.compile("(?<![\\w.])" + Pattern.quote(number) + "(?!\\w|\\.\\d)")
        .matcher(text)
        .find();
  }

  private static String readmeSection(String heading) throws IOException {
    String readme = Files.readString(CHECKOUT.resolve("README.md"));
    int begin = readme.indexOf("\n" + heading + "\n");
    assertTrue(begin >= 0, heading);
    return readme.substring(begin, readme.indexOf("\n## ", begin + 1));
  }

  /** Each heading's text up to the next heading, by the anchor that GitHub gives it. */
  private static Map<String, String> sections(Path page) throws IOException {
    Map<String, String> sections = new HashMap<>();
    for (String section : Files.readString(page).split("\n(?=#{2,} )", -1)) {
      String heading = section.lines().findFirst().orElseThrow();
      sections.put(DocsCommandsTest.anchor(heading), section);
    }
    return sections;
  }
}
