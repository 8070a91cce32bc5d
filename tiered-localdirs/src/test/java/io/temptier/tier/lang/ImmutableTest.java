// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.lang;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link Immutable} is held against the JDK's own, which the tests' Java has. */
class ImmutableTest {
  static Stream<Collection<String>> made() {
    return Stream.of(
        Immutable.listOf("a", "b"),
        Immutable.copyOf(new ArrayList<>(List.of("a", "b"))),
        Immutable.listFrom(Set.of("a")),
        Immutable.setOf("a", "b"),
        Immutable.copyOf(Set.of("a")),
        Immutable.mapOf("a", "b").keySet(),
        Immutable.copyOf(Map.of("a", "b")).keySet(),
        Stream.of("a", "b").collect(Immutable.toList()),
        Stream.of("a").collect(Immutable.toMap(Function.identity(), one -> one)).keySet());
  }

  @ParameterizedTest
  @MethodSource("made")
  void nothingCanBeChanged(Collection<String> one) {
    assertThrows(UnsupportedOperationException.class, () -> one.add("c"));
    assertThrows(UnsupportedOperationException.class, () -> one.remove("a"));
    Iterator<String> each = one.iterator();
    each.next();
    assertThrows(UnsupportedOperationException.class, each::remove);
  }

  @Test
  void equalsTheJdksOwn() {
    assertEquals(List.of(1, 2), Immutable.listOf(1, 2));
    assertEquals(List.of(), Immutable.listOf());
    assertEquals(Set.of(1, 2), Immutable.setOf(2, 1));
    assertEquals(Map.of(1, "a", 2, "b"), Immutable.mapOf(1, "a", 2, "b"));
    assertEquals(Map.of(), Immutable.mapOf());
    assertEquals(
        Map.of(1, "a", 2, "b", 3, "c", 4, "d"), Immutable.mapOf(1, "a", 2, "b", 3, "c", 4, "d"));
    assertEquals(Map.entry(1, "a"), Immutable.entry(1, "a"));
  }

  @Test
  void theOrderIsTheOneGiven() {
    assertEquals(List.of("z", "a"), new ArrayList<>(Immutable.setOf("z", "a")));
    assertEquals(
        List.of("z", "a"),
        new ArrayList<>(Immutable.mapOf("z", 1, "a", 2, "z2", 3).keySet()).subList(0, 2));
  }

  @Test
  @SuppressWarnings("NullAway") // What it refuses.
  void noNullIsTakenButByTheCollector() {
    assertThrows(NullPointerException.class, () -> Immutable.listOf("a", null));
    assertThrows(NullPointerException.class, () -> Immutable.setOf("a", null));
    assertThrows(NullPointerException.class, () -> Immutable.mapOf("a", null));
    assertThrows(NullPointerException.class, () -> Immutable.copyOf(Arrays.asList("a", null)));
    Map<String, String> map = new HashMap<>();
    map.put("a", null);
    assertThrows(NullPointerException.class, () -> Immutable.copyOf(map));
    assertEquals(Arrays.asList("a", null), Stream.of("a", null).collect(Immutable.toList()));
  }

  @Test
  void whatIsGivenTwiceIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> Immutable.setOf("a", "a"));
    assertThrows(IllegalArgumentException.class, () -> Immutable.mapOf("a", 1, "a", 2));
  }

  @Test
  void aCopyIsMadeOnce() {
    List<String> mutable = new ArrayList<>(List.of("a"));
    List<String> copy = Immutable.copyOf(mutable);
    assertNotSame(mutable, copy);
    mutable.add("b");
    assertEquals(List.of("a"), copy);
    assertSame(copy, Immutable.copyOf(copy));
  }

  @Test
  void anArrayGivenStaysTheCallers() {
    String[] array = {"a"};
    List<String> list = Immutable.listOf(array);
    array[0] = "b";
    assertEquals(List.of("a"), list);
    list.toArray()[0] = "c";
    assertEquals(List.of("a"), list);
  }
}
