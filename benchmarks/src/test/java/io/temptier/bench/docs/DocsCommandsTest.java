// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.main.Main;
import io.temptier.hadoop.conf.TierKey;
import io.temptier.s3a.endpoint.EndpointKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Command lines and properties that README and docs show are there, and links lead somewhere. */
final class DocsCommandsTest {
  private static final Path CHECKOUT = Path.of("..");

  /** Up to what ends a command line in Markdown: a code span, a table's cell, a comment. */
  private static final Pattern COMMAND =
      Pattern.compile("(?:\\./|`)temptier((?: +[^\\s`|#\\\\]+)+)");

  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s#]*)(?:#([^)\\s]+))?\\)");

  /** A property as a code span, with or without a value. */
  private static final Pattern KEY = Pattern.compile("`(temptier\\.[a-z0-9.<>-]+)(?:=[^`]*)?`");

  @Test
  void everyPropertyIsOneThatThereIs() throws IOException {
    Set<String> keys = new TreeSet<>();
    Stream.of(TierKey.values()).forEach(key -> keys.add(key.key()));
    Stream.of(EndpointKey.values()).forEach(key -> keys.add(key.key()));
    Set<String> wrong = new TreeSet<>();
    int seen = 0;
    for (Path page : pages()) {
      Matcher matcher = KEY.matcher(Files.readString(page));
      while (matcher.find()) {
        seen++;
        if (!keys.contains(matcher.group(1).replace("<medium>", "nvme"))) {
          wrong.add(page + ": " + matcher.group(1));
        }
      }
    }
    assertEquals(Set.of(), wrong);
    assertTrue(seen > 40, "properties seen: " + seen);
  }

  @Test
  void everyLinkLeadsToAFileAndAHeading() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Path page : pages()) {
      Matcher link = LINK.matcher(Files.readString(page));
      while (link.find()) {
        String target = link.group(1);
        Path file = target.isEmpty() ? page : page.resolveSibling(target);
        boolean there =
            target.contains("://")
                || (Files.exists(file)
                    && (link.group(2) == null || anchors(file).contains(link.group(2))));
        if (!there) {
          wrong.add(page + ": " + link.group());
        }
      }
    }
    assertEquals(List.of(), wrong);
  }

  /** What GitHub calls the headings of a page. */
  private static List<String> anchors(Path page) throws IOException {
    return Files.readString(page)
        .lines()
        .filter(line -> line.matches("#+ .*"))
        .map(DocsCommandsTest::anchor)
        .toList();
  }

  static String anchor(String heading) {
    return heading
        .replaceFirst("^#+ ", "")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^a-z0-9 _-]", "")
        .replace(' ', '-');
  }

  @Test
  void everyCommandLineIsOneThatThereIs() throws IOException {
    List<String> wrong = new ArrayList<>();
    int seen = 0;
    for (Path page : pages()) {
      Matcher matcher = COMMAND.matcher(Files.readString(page));
      while (matcher.find()) {
        seen++;
        String line = matcher.group(1).strip();
        fault(line).ifPresent(fault -> wrong.add(page + ": temptier " + line + ": " + fault));
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(seen > 40, "command lines seen: " + seen);
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(CHECKOUT.resolve("README.md")));
    try (Stream<Path> docs = Files.list(CHECKOUT.resolve("docs"))) {
      docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    return pages;
  }

  private static Optional<String> fault(String line) {
    CommandLine command = Main.commandLine();
    for (String word : line.split(" +", -1)) {
      CommandSpec spec = command.getCommandSpec();
      if (word.startsWith("-D")) {
        word = "-D";
      }
      if (word.startsWith("-")) {
        String option = word.split("=", 2)[0];
        if (spec.findOption(option) == null) {
          return Optional.of(spec.qualifiedName() + " has no " + option);
        }
      } else if (command.getSubcommands().containsKey(word)) {
        command = command.getSubcommands().get(word);
      } else if (!command.getSubcommands().isEmpty() && word.matches("[a-z0-9-]+")) {
        return Optional.of(spec.qualifiedName() + " has no command " + word);
      }
    }
    return Optional.empty();
  }
}
