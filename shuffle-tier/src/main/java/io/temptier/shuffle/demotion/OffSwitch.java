// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.hadoop.conf.TierKey;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether demotion is off, and why; each reason is logged once. Safe for use by many threads. */
final class OffSwitch {
  private static final Logger LOG = LoggerFactory.getLogger(OffSwitch.class);

  private @Nullable String reason;
  private @Nullable String logged;
  private boolean forGood;

  /** Switches off until {@link #on}; a reason that holds for good stays. */
  synchronized void off(String why) {
    if (forGood) {
      return;
    }
    reason = why;
    if (!why.equals(logged)) {
      logged = why;
      LOG.info("Nothing is demoted: {}", why);
    }
  }

  /** Switches off until the NodeManager is started again. */
  synchronized void offForGood(String why) {
    off(why);
    forGood = true;
  }

  /**
   * The same, since a folder that is to be emptied belongs to a user as whom nothing can be run.
   */
  void cannotMove(Path folder) {
    offForGood(
        folder
            + " belongs to another user than this NodeManager's, and it can run nothing as that"
            + " user: for that, yarn.nodemanager.container-executor.class has to be Hadoop's"
            + " LinuxContainerExecutor, and the program setsid be installed. Files go to the next"
            + " tier once a dir is full; set "
            + TierKey.DEMOTION_ENABLED
            + "=false to say so");
  }

  /** Switches on, if it is not off for good. */
  synchronized boolean on() {
    if (!forGood) {
      reason = null;
    }
    return !forGood;
  }

  /** Why it is off; empty when it is on. */
  synchronized Optional<String> reason() {
    return Optional.ofNullable(reason);
  }
}
