// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Placement;
import io.temptier.tier.PlacementListener;
import io.temptier.tier.PlacementRequest;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a listener's failures, one with missing classes among them, from failing a placement. */
@AutoValue
abstract class GuardedListener implements PlacementListener {

  private static final Logger LOG = LoggerFactory.getLogger(GuardedListener.class);
  private static final Set<Class<?>> LOGGED = ConcurrentHashMap.newKeySet();

  abstract PlacementListener inner();

  static GuardedListener of(PlacementListener inner) {
    return new AutoValue_GuardedListener(inner);
  }

  @Override
  public void placed(PlacementRequest request, Placement placement) {
    run(() -> inner().placed(request, placement));
  }

  @Override
  public void settled(PlacementRequest request, Placement placement, long bytes) {
    run(() -> inner().settled(request, placement, bytes));
  }

  @Override
  public void dirFailed(LocalDir dir, String error) {
    run(() -> inner().dirFailed(dir, error));
  }

  private static void run(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException | LinkageError | AssertionError e) {
      if (LOGGED.add(e.getClass())) {
        LOG.warn(
            "A placement listener failed; placement goes on without it. Failures of the same class"
                + " are not logged again",
            e);
      }
    }
  }
}
