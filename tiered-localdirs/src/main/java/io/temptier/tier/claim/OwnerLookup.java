// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import io.temptier.tier.os.ProcessTable;
import java.util.HashMap;
import java.util.Map;

/** Asks about each owner of claims once in a reading of them. For one thread. */
final class OwnerLookup {
  private final ProcessTable processes;
  private final Map<ProcessTable.Owner, Boolean> running = new HashMap<>();
  private final Map<Long, Boolean> present = new HashMap<>();

  OwnerLookup(ProcessTable processes) {
    this.processes = processes;
  }

  /** Whether a process is visible and runs. */
  boolean runs(ProcessTable.Owner owner) {
    return running.computeIfAbsent(owner, processes::isRunning);
  }

  /**
   * Whether a process visibly ended; false when in doubt.
   *
   * @param namespace its pid namespace
   * @param uid the user that ran it
   */
  boolean ended(ProcessTable.Owner owner, String namespace, int uid) {
    return processes.sees(namespace, uid)
        && !present.computeIfAbsent(owner.pid(), processes::isPresent);
  }
}
