// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.output;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FetchTrackerTest {
  private static final MapOutputId ID = MapOutputId.of("u", "application_1_0001", "attempt_1");

  private boolean running = true;
  private final FetchTracker tracker = new FetchTracker(application -> running);

  private void fetched(int partition) {
    tracker.fetched(ID, partition, 4);
  }

  @Test
  void countsEachPartitionOnce() {
    assertEquals(0, tracker.fraction(ID));
    fetched(1);
    fetched(1);
    fetched(3);
    assertEquals(0.5, tracker.fraction(ID));
  }

  @Test
  void knowsHowFarTheUnfetchedRunGoes() {
    assertEquals(4, tracker.of(ID).nextFetched(0, 4));
    fetched(2);
    assertEquals(2, tracker.of(ID).nextFetched(0, 4));
    assertEquals(4, tracker.of(ID).nextFetched(2, 4));
    assertEquals(4, tracker.of(ID).nextFetched(3, 4));
  }

  @Test
  void knowsSinceWhereTheRunGoes() {
    assertEquals(0, tracker.of(ID).unfetchedSince(3));
    fetched(1);
    assertEquals(2, tracker.of(ID).unfetchedSince(3));
    assertEquals(2, tracker.of(ID).unfetchedSince(2));
    assertEquals(0, tracker.of(ID).unfetchedSince(0));
    fetched(2);
    assertEquals(2, tracker.of(ID).unfetchedSince(2), "a retry reads its own partition");
  }

  @Test
  void forgetsAnApplicationThatEnded() {
    fetched(1);
    tracker.forgetApplication(ID.application());
    assertEquals(0, tracker.fraction(ID));
  }

  /** The last bytes of a fetch may go out after its application has ended. */
  @Test
  void remembersNothingOfAnApplicationThatHasEnded() {
    running = false;
    tracker.forgetApplication(ID.application());
    fetched(1);
    assertEquals(0, tracker.fraction(ID));
  }
}
