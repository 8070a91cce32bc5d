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
package io.temptier.bench.demo;

/**
 * Files and their bytes.
 *
 * @param files how many
 * @param bytes of all of them
 */
record Tally(long files, long bytes) {
  /** Nothing. */
  static final Tally NONE = new Tally(0, 0);

  /** One file. */
  static Tally of(long bytes) {
    return new Tally(1, bytes);
  }

  /** Both together. */
  Tally plus(Tally other) {
    return new Tally(files + other.files, bytes + other.bytes);
  }
}
