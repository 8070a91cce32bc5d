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
package io.temptier.cli.doctor;

import java.util.regex.Pattern;

/** Knows TempTier's jars by their names. */
final class DropInJars {
  /** The jars by any of their names, or a folder or variable named after the project. */
  private static final Pattern NAME =
      Pattern.compile("temptier|shuffle-tier|tiered-localdirs", Pattern.CASE_INSENSITIVE);

  private DropInJars() {}

  /** Whether part of a class path names them. */
  static boolean namedIn(String text) {
    return NAME.matcher(text).find();
  }
}
