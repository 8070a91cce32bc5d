// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.lang;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
}
