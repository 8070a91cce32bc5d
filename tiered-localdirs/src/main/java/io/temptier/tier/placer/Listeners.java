// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import io.temptier.tier.LocalDir;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.PlacementRequest;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
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

  /** Removes one. */
  public void remove(PlacementListener listener) {
    all.remove(listener);
  }

  /** These, or one that is guarded as they are. */
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
    for (PlacementListener listener : all) {
      try {
        listener.placed(request, placement);
      } catch (RuntimeException | LinkageError | AssertionError e) {
        log(e);
      }
    }
  }

  @Override
  public void settled(PlacementRequest request, Placement placement, long bytes) {
    for (PlacementListener listener : all) {
      try {
        listener.settled(request, placement, bytes);
      } catch (RuntimeException | LinkageError | AssertionError e) {
        log(e);
      }
    }
  }

  @Override
  public void dirFailed(LocalDir dir, String error) {
    for (PlacementListener listener : all) {
      try {
        listener.dirFailed(dir, error);
      } catch (RuntimeException | LinkageError | AssertionError e) {
        log(e);
      }
    }
  }

  private static void log(Throwable e) {
    if (LOGGED.add(e.getClass())) {
      LOG.warn(
          "A placement listener failed; placement goes on without it. Failures of the same class"
              + " are not logged again",
          e);
    }
  }
}
