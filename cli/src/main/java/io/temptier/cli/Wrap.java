/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.cli;

import java.util.ArrayList;
import java.util.List;

/** Breaks text into lines. */
public final class Wrap {
  private Wrap() {}

  /**
   * Breaks text at its spaces. Words are never broken, nor are lines that begin with {@code <}: XML
   * is there to be pasted.
   *
   * @param text may hold line breaks
   * @param width the most letters of a line
   */
  public static List<String> lines(String text, int width) {
    List<String> lines = new ArrayList<>();
    for (String paragraph : text.lines().toList()) {
      if (paragraph.startsWith("<")) {
        lines.add(paragraph);
        continue;
      }
      StringBuilder line = new StringBuilder();
      for (String word : paragraph.split(" ", -1)) {
        if (line.length() > 0 && line.length() + 1 + word.length() > width) {
          lines.add(line.toString());
          line.setLength(0);
        }
        line.append(line.length() == 0 ? "" : " ").append(word);
      }
      lines.add(line.toString());
    }
    return lines;
  }
}
