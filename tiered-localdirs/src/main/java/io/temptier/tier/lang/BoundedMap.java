// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.lang;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map of so many entries at most: the eldest goes. Not thread-safe. */
public final class BoundedMap<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1;

  private final int most;

  private BoundedMap(int most) {
    super(16, 0.75f, /* accessOrder= */ true);
    this.most = most;
  }

  /** Forgets what was used longest ago. */
  public static <K, V> Map<K, V> ofLastUsed(int most) {
    return new BoundedMap<>(most);
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > most;
  }
}
