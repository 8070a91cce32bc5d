// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.Medium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * CONTRIBUTING.md's lists of files to touch. A file that names all of a kind is one that a newcomer
 * of the kind must be added to.
 */
class ContributingTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern FILE = Pattern.compile("`([\\w-]+\\.(?:java|xml|md))`");

  @Test
  void aMediumIsAddedToTheseFiles() throws IOException {
    List<Pattern> media =
        Arrays.stream(Medium.values())
            .map(medium -> Pattern.compile("\\b(\\w+_)?" + medium + "\\b"))
            .toList();
    assertList("## Adding a medium", namingAll(media), 6);
  }

  @Test
  void aLimitingPropertyIsAddedToTheseFiles() throws IOException {
    List<Pattern> limits =
        Stream.of("(?i)app.?share", "(?i)large.?size", "(?i)fill.?limits|\\.limits\\(")
            .map(Pattern::compile)
            .toList();
    assertList("## Adding a limiting property", namingAll(limits), 8);
  }

  private static void assertList(String heading, Set<String> found, int most) throws IOException {
    String text = Files.readString(ROOT.resolve("CONTRIBUTING.md"));
    int start = text.indexOf(heading);
    assertTrue(start >= 0, heading);
    Set<String> listed =
        FILE.matcher(text.substring(start, text.indexOf("\n## ", start + 1)))
            .results()
            .map((MatchResult match) -> match.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(found, listed, heading);
    assertTrue(listed.size() <= most, heading + ": " + listed);
  }

  /** What is shipped, its templates and documentation. */
  private static Set<String> namingAll(List<Pattern> all) throws IOException {
    Set<String> names = new TreeSet<>();
    for (String folder :
        List.of(
            "tiered-localdirs/src/main/java",
            "shuffle-tier/src/main/java",
            "spark-tier/src/main/java",
            "cli/src/main/java",
            "conf-templates",
            "docs")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
        for (Path file : (Iterable<Path>) files::iterator) {
          String name = String.valueOf(file.getFileName());
          if (FILE.matcher("`" + name + "`").matches()) {
            String text = Files.readString(file);
            if (all.stream().allMatch(one -> one.matcher(text).find())) {
              names.add(name);
            }
          }
        }
      }
    }
    return names;
  }
}
