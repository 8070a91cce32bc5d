// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import io.temptier.tier.LocalDir;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.PlacementRequest;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes placements on to those who listen. A listener's failures, one with missing classes among
 * them, fail no placement. Safe for use by many threads.
 */
public final class Listeners implements PlacementListener {
  private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);
  private static final Set<Class<?>> LOGGED = ConcurrentHashMap.newKeySet();

  private final CopyOnWriteArrayList<PlacementListener> all = new CopyOnWriteArrayList<>();

  /** Adds one, unless it listens already. */
  public void add(PlacementListener listener) {
    all.addIfAbsent(listener);
  }

  public void remove(PlacementListener listener) {
    all.remove(listener);
  }

  /** Returns the listener itself if it is guarded, else guards it. */
  static Listeners of(PlacementListener listener) {
    if (listener instanceof Listeners) {
      return (Listeners) listener;
    }
    Listeners one = new Listeners();
    one.add(listener);
    return one;
  }

  @Override
  public void placed(PlacementRequest request, Placement placement) {
    tell(listener -> listener.placed(request, placement));
  }

  @Override
  public void settled(PlacementRequest request, Placement placement, long bytes) {
    tell(listener -> listener.settled(request, placement, bytes));
  }

  @Override
  public void dirFailed(LocalDir dir, String error) {
    tell(listener -> listener.dirFailed(dir, error));
  }

  private void tell(Consumer<PlacementListener> event) {
    for (PlacementListener listener : all) {
      try {
        event.accept(listener);
      } catch (RuntimeException | LinkageError | AssertionError e) {
        if (LOGGED.add(e.getClass())) {
          LOG.warn(
              "A placement listener failed; placement goes on without it. Failures of the same"
                  + " class are not logged again",
              e);
        }
      }
    }
  }
}
