// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.lang;

import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Collections that nobody can change, as {@code List.of} and its like make them from Java 9 on. As
 * there, nulls and what is given twice are refused; here sets and maps keep the order given.
 */
public final class Immutable {
  private Immutable() {}

  @SafeVarargs
  @SuppressWarnings("varargs")
  public static <E> List<E> listOf(E... elements) {
    return new Elements<>(elements.clone());
  }

  /** A copy, unless it is one already. */
  public static <E> List<E> copyOf(List<? extends E> list) {
    return listFrom(list);
  }

  @SuppressWarnings("unchecked")
  public static <E> List<E> listFrom(Collection<? extends E> elements) {
    // What nobody can change can be read as a list of more.
    return elements instanceof Elements
        ? (List<E>) elements
        : new Elements<>((E[]) elements.toArray());
  }

  /** The elements, none twice. */
  @SafeVarargs
  public static <E> Set<E> setOf(E... elements) {
    Set<E> set = new LinkedHashSet<>();
    for (E one : elements) {
      if (!set.add(Objects.requireNonNull(one))) {
        throw new IllegalArgumentException("twice in a set: " + one);
      }
    }
    return Collections.unmodifiableSet(set);
  }

  public static <E> Set<E> copyOf(Set<? extends E> set) {
    Set<E> copy = new LinkedHashSet<>();
    for (E one : set) {
      copy.add(Objects.requireNonNull(one));
    }
    return Collections.unmodifiableSet(copy);
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

  /** A map of the entries, no key twice. */
  @SafeVarargs
  public static <K, V> Map<K, V> mapOfEntries(Map.Entry<? extends K, ? extends V>... entries) {
    Map<K, V> map = new LinkedHashMap<>();
    for (Map.Entry<? extends K, ? extends V> one : entries) {
      if (map.put(one.getKey(), one.getValue()) != null) {
        throw new IllegalArgumentException("twice in a map: " + one.getKey());
      }
    }
    return Collections.unmodifiableMap(map);
  }

  public static <K, V> Map<K, V> copyOf(Map<? extends K, ? extends V> map) {
    Map<K, V> copy = new LinkedHashMap<>();
    for (Map.Entry<? extends K, ? extends V> one : map.entrySet()) {
      copy.put(Objects.requireNonNull(one.getKey()), Objects.requireNonNull(one.getValue()));
    }
    return Collections.unmodifiableMap(copy);
  }

  public static <K, V> Map.Entry<K, V> entry(K key, V value) {
    return new AbstractMap.SimpleImmutableEntry<>(
        Objects.requireNonNull(key), Objects.requireNonNull(value));
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

  private static final class Elements<E> extends AbstractList<E> implements RandomAccess {
    private final E[] elements;

    private Elements(E[] elements) {
      for (E one : elements) {
        Objects.requireNonNull(one);
      }
      this.elements = elements;
    }

    @Override
    public E get(int index) {
      return elements[index];
    }

    @Override
    public int size() {
      return elements.length;
    }

    @Override
    public Object[] toArray() {
      return Arrays.copyOf(elements, elements.length, Object[].class);
    }
  }
}
