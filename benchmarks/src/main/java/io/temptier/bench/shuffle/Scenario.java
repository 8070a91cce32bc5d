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
package io.temptier.bench.shuffle;

/** What is fetched at the same time. */
enum Scenario {
  /** From the fast disk alone. */
  ALL_FAST("all-fast", true, false),

  /** From the fast disk, while others saturate the slow one. */
  MIXED("mixed", true, true),

  /** From the slow disk alone. */
  ALL_SLOW("all-slow", false, true);

  private final String label;
  private final boolean fast;
  private final boolean slow;

  Scenario(String label, boolean fast, boolean slow) {
    this.label = label;
    this.fast = fast;
    this.slow = slow;
  }

  /** Its name in the output. */
  String label() {
    return label;
  }

  /** Whether somebody fetches from the fast disk. Those are then the ones that are looked at. */
  boolean fast() {
    return fast;
  }

  /** Whether somebody fetches from the slow disk. */
  boolean slow() {
    return slow;
  }
}
