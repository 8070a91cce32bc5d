// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.ProcessTable;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NodeManager's leases for containers whose processes cannot be seen from outside and do not
 * renew their ledgers: they are stopped, or wait for a disk. A lease is an empty ledger in the name
 * of the container, which only the keeper of a local dir can make for others. While it is there,
 * the container's own ledgers count. A NodeManager knows which containers run.
 *
 * <p>A ledger whose owner was seen running and is seen no more gets no lease: that process has
 * ended.
 *
 * <p>For use by one thread, which waits for the dir.
 */
final class ContainerLeases {
  /** A lease that is renewed by then is in time: the NodeManager looks once a second. */
  private static final long OVERDUE_MILLIS = Claims.LEASE_MILLIS * 2 / 5;

  private static final Logger LOG = LoggerFactory.getLogger(ContainerLeases.class);

  private final Ledgers ledgers;
  private final Map<Holder, Ledger> standing = new HashMap<>();
  private Set<String> visible = new HashSet<>();
  private Set<String> stillVisible = new HashSet<>();
  private Set<Holder> wanted = new HashSet<>();

  ContainerLeases(Ledgers ledgers) {
    this.ledgers = ledgers;
  }

  /** Looks at a ledger of a container that runs. */
  void look(String file, LedgerName name, long modifiedMillis, long nowMillis) {
    ProcessTable processes = ledgers.processes();
    if (processes.isRunning(name.owner())) {
      stillVisible.add(file);
    } else if (visible.contains(file)) {
      stillVisible.add(file); // And so known to be gone.
    } else if (Math.abs(nowMillis - modifiedMillis) >= OVERDUE_MILLIS) {
      wanted.add(name.holder());
    }
  }

  /**
   * Called when all ledgers were looked at: gives and renews the leases of their containers, and
   * ends others.
   */
  void give(long nowMillis) {
    visible = stillVisible;
    stillVisible = new HashSet<>();
    Set<Holder> containers = wanted;
    wanted = new HashSet<>();
    standing.forEach(
        (container, word) -> {
          if (!containers.contains(container)) {
            word.drop();
          }
        });
    standing.keySet().retainAll(containers);
    for (Holder container : containers) {
      Ledger word = standing.computeIfAbsent(container, any -> new Ledger(ledgers, any, true));
      try {
        word.renew(nowMillis);
      } catch (IOException e) {
        LOG.debug("Cannot renew {}", word, e);
      }
    }
  }

  /** The containers that have a lease. */
  Set<Holder> standing() {
    return Immutable.copyOf(standing.keySet());
  }
}
