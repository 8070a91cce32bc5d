// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import java.util.stream.Stream;

/**
 * What is fetched at the same time, of a job that the handler was not asked for before, with
 * nothing of it in the page cache.
 */
enum Scenario {
  /**
   * From the fast disk alone, for a while. After the warm-up it comes from the page cache, as on a
   * node whose map tasks ended a moment ago.
   */
  ALL_FAST(
      "all-fast",
      "reducers on the fast disk alone, over and over; after the warm-up from the page cache",
      true,
      false),

  /**
   * The same, while others saturate the slow disk, whose outputs are so many that none is asked for
   * twice.
   */
  MIXED("mixed", "the same beside reducers that saturate the slow disk", true, true),

  /**
   * A whole reduce phase from the slow disk alone: each reducer fetches its segment of every map
   * output once, several reducers at a time, so that every byte of the outputs is needed exactly
   * once. The throughput is those bytes by the time from the first request to the last byte.
   */
  ALL_SLOW(
      "all-slow",
      "one whole pass over outputs on the slow disk: every segment fetched exactly once, cold",
      false,
      true);

  private final String label;
  private final String words;
  private final boolean fast;
  private final boolean slow;

  Scenario(String label, String words, boolean fast, boolean slow) {
    this.label = label;
    this.words = words;
    this.fast = fast;
    this.slow = slow;
  }

  static Scenario of(String label) {
    return Stream.of(values())
        .filter(one -> one.label.equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no scenario " + label));
  }

  String label() {
    return label;
  }

  String words() {
    return words;
  }

  /** Whether every segment is fetched exactly once, however long that takes. */
  boolean pass() {
    return !fast;
  }

  boolean slow() {
    return slow;
  }
}
