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
package io.temptier.cli.report;

import java.util.List;

/** Colours that differ, for things without one of their own. */
public final class Palette {
  private static final List<String> COLOURS =
      List.of("#1f6feb", "#c58b1a", "#12805c", "#b3261e", "#7a4fbf", "#5c6b7d");

  private Palette() {}

  /**
   * The colour of a thing; after six they begin again.
   *
   * @param number its place in its list, from 0
   */
  public static String colour(int number) {
    return COLOURS.get(number % COLOURS.size());
  }
}
