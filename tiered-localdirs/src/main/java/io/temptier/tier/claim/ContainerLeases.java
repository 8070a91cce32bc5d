// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NodeManager's leases for containers whose processes do not renew their ledgers: they are
 * stopped, or wait for a disk, and others may not see them run. A lease is an empty ledger in the
 * name of the container, which only the keeper of a local dir can make for others. While it is
 * there, the container's own ledgers count. A NodeManager knows which containers run.
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

  private final Claims claims;
  private final Map<String, Ledger> standing = new HashMap<>();
  private Set<String> visible = new HashSet<>();
  private Set<String> stillVisible = new HashSet<>();
  private final Set<String> wanted = new HashSet<>();

  ContainerLeases(Claims claims) {
    this.claims = claims;
  }

  /** Looks at a ledger of a container that runs. */
  void look(String file, LedgerName name, long modifiedMillis, long nowMillis) {
    boolean overdue = Math.abs(nowMillis - modifiedMillis) >= OVERDUE_MILLIS;
    boolean seen = visible.contains(file);
    boolean runs = (overdue || !seen) && claims.processes().isRunning(name.owner);
    if (seen || runs) {
      stillVisible.add(file);
    }
    if (overdue && (runs || !seen)) {
      wanted.add(name.holder);
    }
  }

  /** Gives and renews leases of the containers whose ledgers were seen, and ends others. */
  void give(long nowMillis) {
    visible = stillVisible;
    stillVisible = new HashSet<>();
    standing
        .entrySet()
        .removeIf(entry -> !wanted.contains(entry.getKey()) && entry.getValue().drop(true));
    for (String container : wanted) {
      Ledger lease = standing.computeIfAbsent(container, name -> new Ledger(claims, name, true));
      try {
        lease.renew(nowMillis);
      } catch (IOException e) {
        LOG.debug("Cannot renew {}", lease, e);
      }
    }
    wanted.clear();
  }
}
