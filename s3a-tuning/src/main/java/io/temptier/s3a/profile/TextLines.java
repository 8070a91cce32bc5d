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
