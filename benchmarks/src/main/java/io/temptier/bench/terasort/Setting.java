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
package io.temptier.bench.terasort;

/**
 * A node to measure on.
 *
 * @param name for people and programs
 * @param hdds how many slow disks
 * @param fastShare the fast disk's size, as a share of the temporary data at its peak
 */
record Setting(String name, int hdds, double fastShare) {
  /** With room for what is not used at once, and for file systems that are never to be full. */
  static final double FITS = 2;

  /** Whether all temporary data has room on the fast disk. */
  boolean fits() {
    return fastShare >= FITS;
  }
}
