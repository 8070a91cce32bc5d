// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.policy.Reason;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TierCounterTest {
  @Test
  void namesAreUniqueAndDocumented() {
    Set<String> names = new HashSet<>();
    for (TierCounter counter : TierCounter.values()) {
      assertTrue(names.add(counter.attribute()), counter.attribute());
      assertTrue(counter.attribute().matches("[A-Z][A-Za-z]+"), counter.attribute());
      assertTrue(counter.doc().endsWith("."), counter.doc());
      assertFalse(counter.doc().contains("|"), "it would break the table: " + counter.doc());
    }
  }

  @Test
  void everyReasonOfARefusalIsCounted() {
    for (Reason reason : Reason.values()) {
      boolean placesOnly = reason == Reason.FASTEST || reason == Reason.OVER_RESERVE;
      assertEquals(!placesOnly, TierCounter.refusedFor(reason).isPresent(), reason.name());
    }
  }
}
