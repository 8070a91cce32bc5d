// SPDX-License-Identifier: Apache-2.0
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
