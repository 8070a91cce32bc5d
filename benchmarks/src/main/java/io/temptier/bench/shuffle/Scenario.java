// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import java.util.Arrays;
import java.util.Locale;

/**
 * What is fetched at the same time, of a job that the handler was not asked for before, with
 * nothing of it in the page cache.
 */
enum Scenario {
  ALL_FAST("reducers on the fast disk alone, over and over; after the warm-up from the page cache"),

  /** The slow disk's outputs are so many that none is asked for twice. */
  MIXED("the same beside reducers that saturate the slow disk"),

  /** Its throughput is all bytes by the time from the first request to the last byte. */
  ALL_SLOW(
      "one whole pass over outputs on the slow disk: every segment fetched exactly once, cold");

  private final String words;

  Scenario(String words) {
    this.words = words;
  }

  static Scenario of(String label) {
    return Arrays.stream(values())
        .filter(one -> one.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "setting " + label + " is none of all-fast, mixed, all-slow"));
  }

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  String words() {
    return words;
  }

  /** Whether every segment is fetched exactly once, however long that takes. */
  boolean pass() {
    return this == ALL_SLOW;
  }

  boolean slow() {
    return this != ALL_FAST;
  }
}
