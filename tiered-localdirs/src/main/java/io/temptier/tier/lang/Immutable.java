// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.lang;

import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Collections that nobody can change, as {@code List.of} and its like make them from Java 9 on; of
 * sets and maps in the order given.
 */
public final class Immutable {
  private Immutable() {}

  @SafeVarargs
  @SuppressWarnings("varargs")
  public static <E> List<E> listOf(E... elements) {
    return listFrom(Arrays.asList(elements));
  }

  public static <E> List<E> copyOf(List<? extends E> list) {
    return listFrom(list);
  }

  public static <E> List<E> listFrom(Collection<? extends E> elements) {
    return Collections.unmodifiableList(new ArrayList<>(elements));
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  public static <E> Set<E> setOf(E... elements) {
    return Collections.unmodifiableSet(new LinkedHashSet<>(Arrays.asList(elements)));
  }

  public static <E> Set<E> copyOf(Set<? extends E> set) {
    return Collections.unmodifiableSet(new LinkedHashSet<>(set));
  }

  public static <K, V> Map<K, V> mapOf() {
    return Collections.emptyMap();
  }

  public static <K, V> Map<K, V> mapOf(K key, V value) {
    return mapOfEntries(entry(key, value));
  }

  public static <K, V> Map<K, V> mapOf(K key1, V value1, K key2, V value2) {
    return mapOfEntries(entry(key1, value1), entry(key2, value2));
  }

  public static <K, V> Map<K, V> mapOf(K key1, V value1, K key2, V value2, K key3, V value3) {
    return mapOfEntries(entry(key1, value1), entry(key2, value2), entry(key3, value3));
  }

  public static <K, V> Map<K, V> mapOf(
      K key1, V value1, K key2, V value2, K key3, V value3, K key4, V value4) {
    return mapOfEntries(
        entry(key1, value1), entry(key2, value2), entry(key3, value3), entry(key4, value4));
  }

  @SafeVarargs
  public static <K, V> Map<K, V> mapOfEntries(Map.Entry<? extends K, ? extends V>... entries) {
    Map<K, V> map = new LinkedHashMap<>();
    for (Map.Entry<? extends K, ? extends V> one : entries) {
      map.put(one.getKey(), one.getValue());
    }
    return Collections.unmodifiableMap(map);
  }

  public static <K, V> Map<K, V> copyOf(Map<? extends K, ? extends V> map) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }

  public static <K, V> Map.Entry<K, V> entry(K key, V value) {
    return new AbstractMap.SimpleImmutableEntry<>(key, value);
  }

  /** Collects a stream, in which there may be nulls as in that of {@code Stream.toList}. */
  public static <E extends @Nullable Object> Collector<E, ?, List<E>> toList() {
    return Collectors.collectingAndThen(Collectors.toList(), Collections::unmodifiableList);
  }

  /** Collects a stream, no key twice. */
  public static <T, K, V> Collector<T, ?, Map<K, V>> toMap(
      Function<? super T, ? extends K> key, Function<? super T, ? extends V> value) {
    return Collectors.collectingAndThen(Collectors.toMap(key, value), Collections::unmodifiableMap);
  }
}
