// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.lang;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map of so many entries at most: what was used longest ago goes. Not thread-safe. */
public final class BoundedMap<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1;

  private final int most;

  public BoundedMap(int most) {
    super(16, 0.75f, /* accessOrder= */ true);
    this.most = most;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > most;
  }
}
