// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.lang;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BoundedMapTest {
  private static Set<String> fill(Map<String, Integer> map) {
    map.put("a", 1);
    map.put("b", 2);
    assertEquals(1, map.get("a"));
    map.computeIfAbsent("c", key -> 3);
    return map.keySet();
  }

  @Test
  void theOldestGoes() {
    assertEquals(List.of("b", "c"), List.copyOf(fill(BoundedMap.ofNewest(2))));
  }

  @Test
  void whatWasUsedLongestAgoGoes() {
    assertEquals(List.of("a", "c"), List.copyOf(fill(BoundedMap.ofLastUsed(2))));
  }
}
