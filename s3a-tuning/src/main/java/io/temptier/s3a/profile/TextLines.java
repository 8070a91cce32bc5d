// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import java.util.ArrayList;
import java.util.List;

/** Breaks text into lines at its blanks; words are never broken. Pure. */
final class TextLines {
  private TextLines() {}

  /**
   * The lines.
   *
   * @param prefix what each begins with, counted in its width
   */
  static List<String> wrap(String text, String prefix, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(prefix);
    boolean empty = true;
    for (String word : text.strip().split(" +", -1)) {
      if (!empty && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
        line.append(prefix);
        empty = true;
      }
      line.append(empty ? "" : " ").append(word);
      empty = false;
    }
    lines.add(line.toString().stripTrailing());
    return lines;
  }
}
