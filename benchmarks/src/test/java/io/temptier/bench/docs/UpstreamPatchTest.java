// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** The patch beside {@code docs/upstream.md} is whole, is what the page says, and fits Hadoop. */
final class UpstreamPatchTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Path PATCH = DOCS.resolve("upstream/LocalDirAllocator.patch");

  /** Of the release that the patch is made against, as the build leaves it. */
  private static final File SOURCES = new File("target/upstream/hadoop-common-sources.jar");

  private static final String MODULE = "hadoop-common-project/hadoop-common/src/";
  private static final String NOTHING = "/dev/null";
  private static final int COLUMNS = 100;
  private static final Pattern HUNK = Pattern.compile("@@ -(\\d+),(\\d+) \\+(\\d+),(\\d+) @@.*");

  /** A method of an interface in a page. */
  private static final Pattern METHOD = Pattern.compile("(?ms)^  (\\w[^;]*);$");

  private static final Pattern ROOT = Pattern.compile("(?:main|test)/(?:java|resources)/");

  /** One change: the lines with their marks, and where they begin in the file before and after. */
  private record Hunk(int before, int after, List<String> lines) {
    /** The lines of one side: what has the other side's mark is not there. */
    List<String> without(char mark) {
      return lines.stream()
          .filter(line -> line.charAt(0) != mark)
          .map(line -> line.substring(1))
          .toList();
    }
  }

  private record FileChange(String path, boolean isNew, List<Hunk> hunks) {
    String name() {
      return path.substring(path.lastIndexOf('/') + 1);
    }
  }

  private static List<FileChange> patch() throws IOException {
    List<String> lines = Files.readAllLines(PATCH);
    List<FileChange> changes = new ArrayList<>();
    int at = 0;
    while (at < lines.size()) {
      String line = lines.get(at);
      if (line.startsWith("--- ")) {
        String before = line.substring("--- ".length());
        String after = lines.get(++at).substring("+++ b/".length());
        boolean isNew = before.equals(NOTHING);
        assertTrue(isNew || before.equals("a/" + after), line);
        changes.add(new FileChange(after, isNew, new ArrayList<>()));
        at++;
      } else if (line.startsWith("@@")) {
        Hunk hunk = hunk(lines, at);
        changes.get(changes.size() - 1).hunks().add(hunk);
        at += 1 + hunk.lines().size();
      } else {
        assertTrue(line.matches("(?:diff --git|index|new file mode) .*"), "stray line: " + line);
        at++;
      }
    }
    return changes;
  }

  /** The hunk whose header is at a line; its counts say where it ends. */
  private static Hunk hunk(List<String> lines, int header) {
    Matcher matcher = HUNK.matcher(lines.get(header));
    assertTrue(matcher.matches(), lines.get(header));
    int before = Integer.parseInt(matcher.group(2));
    int after = Integer.parseInt(matcher.group(4));
    int end = header + 1;
    while (before > 0 || after > 0) {
      String line = lines.get(end++);
      char mark = line.charAt(0);
      assertTrue(" +-".indexOf(mark) >= 0, "line " + end + ": " + line);
      before -= mark == '+' ? 0 : 1;
      after -= mark == '-' ? 0 : 1;
    }
    assertTrue(before == 0 && after == 0, "counts differ from lines: " + lines.get(header));
    return new Hunk(
        Integer.parseInt(matcher.group(1)),
        Integer.parseInt(matcher.group(3)),
        lines.subList(header + 1, end));
  }

  /** The file after the change. Each line that the patch does not add must be there before it. */
  private static List<String> apply(FileChange change, List<String> before) {
    List<String> after = new ArrayList<>();
    int at = 0;
    for (Hunk hunk : change.hunks()) {
      int start = Math.max(0, hunk.before() - 1);
      after.addAll(before.subList(at, start));
      assertEquals(
          Math.max(0, hunk.after() - 1), after.size(), change.name() + " at " + hunk.before());
      List<String> replaced = hunk.without('+');
      at = start + replaced.size();
      assertEquals(
          String.join("\n", replaced),
          String.join("\n", before.subList(start, at)),
          change.name() + " at " + hunk.before());
      after.addAll(hunk.without('-'));
    }
    after.addAll(before.subList(at, before.size()));
    return after;
  }

  @Test
  void thePatchIsWholeAndInHadoopsStyle() throws IOException {
    List<FileChange> changes = patch();
    assertFalse(changes.isEmpty());
    for (FileChange change : changes) {
      assertTrue(change.path().startsWith(MODULE), change::path);
      assertFalse(change.hunks().isEmpty(), change::path);
      for (Hunk hunk : change.hunks()) {
        for (String line : hunk.lines()) {
          boolean added = line.charAt(0) == '+';
          assertFalse(added && line.length() - 1 > COLUMNS, change.name() + ": " + line);
          assertFalse(added && line.matches(".*\\s|.*\\t.*"), change.name() + ": " + line);
        }
      }
      if (change.isNew()) {
        String text = String.join("\n", apply(change, List.of()));
        assertTrue(text.startsWith("/**\n * Licensed to the Apache Software"), change::name);
      }
    }
  }

  @Test
  void thePageNamesTheFilesAndShowsTheInterface() throws IOException {
    String page = Files.readString(DOCS.resolve("upstream.md"));
    StringBuilder patched = new StringBuilder();
    for (FileChange change : patch()) {
      assertTrue(page.contains("`" + change.name() + "`"), change.name() + " is not in the page");
      change.hunks().forEach(hunk -> patched.append(String.join("\n", hunk.without('-'))));
    }
    String spaced = patched.toString().replaceAll("\\s+", " ");
    Matcher method = METHOD.matcher(page);
    int seen = 0;
    while (method.find()) {
      seen++;
      String signature = method.group(1).replaceAll("\\s+", " ");
      assertTrue(spaced.contains("default " + signature), signature + " is not in the patch");
    }
    assertEquals(4, seen, "methods of the interface in the page");
  }

  @Test
  void thePatchFitsTheRelease() throws IOException {
    try (JarFile jar = new JarFile(SOURCES)) {
      for (FileChange change : patch()) {
        String within = ROOT.matcher(change.path().substring(MODULE.length())).replaceFirst("");
        ZipEntry entry = jar.getEntry(within);
        if (change.isNew()) {
          assertTrue(entry == null, () -> within + " is there already");
        } else {
          assertTrue(entry != null, () -> within + " is not there");
          List<String> before = lines(jar, entry);
          assertFalse(before.equals(apply(change, before)), within);
        }
      }
    }
  }

  private static List<String> lines(JarFile jar, ZipEntry entry) throws IOException {
    try (InputStream in = jar.getInputStream(entry)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
