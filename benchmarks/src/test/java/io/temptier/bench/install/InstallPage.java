// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code docs/install.md} as its reader meets it: numbered steps with blocks to run or to paste.
 * Blocks are given as they stand but for the example paths, which are put under a root of the test.
 */
final class InstallPage {
  private static final Pattern STEP = Pattern.compile("(?m)^## (\\d+)\\. ");
  private static final Pattern BLOCK = Pattern.compile("(?s)```(\\w+)\\n(.*?)```");
  private static final Pattern PROPERTY =
      Pattern.compile(
          "(?s)<property>\\s*<name>(.*?)</name>\\s*<value>(.*?)</value>\\s*</property>");

  /** The example paths of the page. */
  private static final Pattern EXAMPLE_PATH =
      Pattern.compile("(?<![\\w/.])/(?=opt\\b|nvme0\\b|hdd\\d\\b)");

  private record Block(int step, String language, String text) {}

  private final List<Block> blocks = new ArrayList<>();

  /**
   * Reads the page.
   *
   * @param root stands for {@code /} in its example paths
   */
  InstallPage(Path page, Path root) throws IOException {
    String text = Files.readString(page);
    Matcher step = STEP.matcher(text);
    int begin = -1;
    int number = 0;
    while (begin < text.length()) {
      boolean more = step.find();
      int end = more ? step.start() : text.length();
      if (begin >= 0) {
        Matcher block = BLOCK.matcher(text.substring(begin, end));
        while (block.find()) {
          String placed = EXAMPLE_PATH.matcher(block.group(2)).replaceAll(root + "/");
          blocks.add(new Block(number, block.group(1), placed));
        }
      }
      number = more ? Integer.parseInt(step.group(1)) : number;
      begin = more ? step.end() : text.length();
    }
  }

  /** The {@code index}-th block of a step, counted from 0. */
  String block(int step, String language, int index) {
    return blocks.stream()
        .filter(block -> block.step() == step && block.language().equals(language))
        .skip(index)
        .findFirst()
        .orElseThrow(
            () ->
                new AssertionError(
                    "docs/install.md has no block " + language + " " + index + " in step " + step))
        .text();
  }

  /** The properties of the {@code index}-th XML block of a step. */
  Map<String, String> properties(int step, int index) {
    Map<String, String> properties = new LinkedHashMap<>();
    Matcher property = PROPERTY.matcher(block(step, "xml", index));
    while (property.find()) {
      properties.put(property.group(1), property.group(2));
    }
    return properties;
  }
}
