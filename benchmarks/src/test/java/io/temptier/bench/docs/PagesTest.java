// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.docs;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.temptier.cli.main.Main;
import io.temptier.hadoop.conf.TierKey;
import io.temptier.lab.process.Shell;
import io.temptier.s3a.endpoint.EndpointKey;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Command lines and properties that README and docs show are there, links lead somewhere, and what
 * README says was measured stands in {@code docs/results.md}, under a command. Each fault of {@code
 * docs/reliability.md} names tests that exist. The arrows between packages go one way, as design.md
 * says, and the patch beside {@code docs/upstream.md} fits the release of Hadoop that it is made
 * against.
 */
final class PagesTest {
  private static final Path CHECKOUT = Path.of("..");

  /** Up to what ends a command line in Markdown: a code span, a table's cell, a comment. */
  private static final Pattern COMMAND =
      Pattern.compile("(?:\\./|`)temptier((?: +[^\\s`|#\\\\]+)+)");

  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s#]*)(?:#([^)\\s]+))?\\)");

  /** A property as a code span, with or without a value. */
  private static final Pattern KEY = Pattern.compile("`(temptier\\.[a-z0-9.<>-]+)(?:=[^`]*)?`");

  private interface Check {
    /** What is wrong with what a page says there; empty if nothing is. */
    String fault(Path page, MatchResult said) throws IOException;
  }

  /** Checks all that is said so in the pages, which is often. */
  private static void check(Pattern pattern, Check check) throws IOException {
    List<String> wrong = new ArrayList<>();
    int seen = 0;
    for (Path page : pages()) {
      Matcher said = pattern.matcher(Files.readString(page));
      for (; said.find(); seen++) {
        String fault = check.fault(page, said);
        if (!fault.isEmpty()) {
          wrong.add(page + ": " + said.group() + ": " + fault);
        }
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(seen > 40, "seen: " + seen);
  }

  @Test
  void everyPropertyIsOneThatThereIs() throws IOException {
    Set<String> keys = new TreeSet<>();
    Stream.of(TierKey.values()).forEach(key -> keys.add(key.key()));
    Stream.of(EndpointKey.values()).forEach(key -> keys.add(key.key()));
    check(
        KEY,
        (page, said) ->
            keys.contains(said.group(1).replace("<medium>", "nvme")) ? "" : "no such property");
  }

  @Test
  void everyLinkLeadsToAFileAndAHeading() throws IOException {
    check(
        LINK,
        (page, link) -> {
          String target = link.group(1);
          Path file = target.isEmpty() ? page : page.resolveSibling(target);
          boolean there =
              target.contains("://")
                  || (Files.exists(file)
                      && (link.group(2) == null || anchors(file).contains(link.group(2))));
          return there ? "" : "leads nowhere";
        });
  }

  /** What GitHub calls the headings of a page. */
  private static List<String> anchors(Path page) throws IOException {
    return Files.readString(page)
        .lines()
        .filter(line -> line.matches("#+ .*"))
        .map(PagesTest::anchor)
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
    check(COMMAND, (page, said) -> fault(said.group(1).strip()));
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(CHECKOUT.resolve("README.md")));
    try (Stream<Path> docs = Files.list(CHECKOUT.resolve("docs"))) {
      docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    return pages;
  }

  private static String fault(String line) {
    CommandLine command = Main.commandLine();
    for (String word : line.split(" +", -1)) {
      CommandSpec spec = command.getCommandSpec();
      if (word.startsWith("-D")) {
        word = "-D";
      }
      if (word.startsWith("-")) {
        String option = word.split("=", 2)[0];
        if (spec.findOption(option) == null) {
          return spec.qualifiedName() + " has no " + option;
        }
      } else if (command.getSubcommands().containsKey(word)) {
        command = command.getSubcommands().get(word);
      } else if (!command.getSubcommands().isEmpty() && word.matches("[a-z0-9-]+")) {
        return spec.qualifiedName() + " has no command " + word;
      }
    }
    return "";
  }

  private static final Pattern RESULT = Pattern.compile("\\(docs/results\\.md#([^)]+)\\)");
  private static final Pattern NUMBER =
      Pattern.compile("(?<![\\w.])\\d+(?:\\.\\d+)?(?![\\w.]*\\d)");

  @Test
  void everyFigureOfTheTableIsInTheSectionItLinksTo() throws IOException {
    Map<String, String> sections = sections(CHECKOUT.resolve("docs/results.md"));
    List<String> wrong = new ArrayList<>();
    int rows = 0;
    for (String line : readmeSection("## What was measured").lines().toList()) {
      Matcher link = RESULT.matcher(line);
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
      sections.put(anchor(heading), section);
    }
    return sections;
  }

  /** A fault of the page: its number, its name in bold; it goes on in lines that are indented. */
  private static final Pattern ITEM =
      Pattern.compile("(?m)^(\\d+)\\. \\*\\*(.+?)\\*\\*.*(?:\\n +.*)*");

  private static final Pattern TEST = Pattern.compile("`(\\w+)\\.(\\w+)`");

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

  private static final Path PATCH = Path.of("..", "docs/upstream/LocalDirAllocator.patch");

  /** Of that release, as the build leaves it. */
  private static final File SOURCES = new File("target/upstream/hadoop-common-sources.jar");

  /** A file that is there before the patch: its path, and what of it is the path in the jar. */
  private static final Pattern BEFORE =
      Pattern.compile("(?m)^--- a/(hadoop-common-project/hadoop-common/src/\\w+/\\w+/(.*))$");

  @Test
  void thePatchFitsTheRelease(@TempDir Path checkout) throws IOException {
    Matcher before = BEFORE.matcher(Files.readString(PATCH));
    int files = 0;
    try (JarFile jar = new JarFile(SOURCES)) {
      for (; before.find(); files++) {
        ZipEntry entry = jar.getEntry(before.group(2));
        Path file = checkout.resolve(before.group(1));
        Files.createDirectories(file.getParent());
        try (InputStream in = jar.getInputStream(entry)) {
          Files.copy(in, file);
        }
      }
    }
    assertTrue(files > 0, "it changes no file");
    Shell.run(Shell.line("git", "-C", checkout, "apply", "--check", PATCH.toAbsolutePath()));
  }

  private static final ImportOption NOT_GENERATED = at -> !at.contains("jmh_generated");

  @Test
  void noTwoUseEachOtherHoweverFarAround() {
    JavaClasses classes =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(NOT_GENERATED)
            .importPackages("io.temptier");
    assertTrue(classes.contain("io.temptier.tier.placer.Placer"), "the product is looked at");
    slices().matching("io.temptier.(**)").should().beFreeOfCycles().check(classes);
  }
}
