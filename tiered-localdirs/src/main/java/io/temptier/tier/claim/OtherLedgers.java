// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.ProcessTable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledgers of other processes in one folder of claims, as {@link Claims} counts them. Not safe
 * for use by several threads.
 */
final class OtherLedgers {
  private static final Logger LOG = LoggerFactory.getLogger(OtherLedgers.class);

  private final Path folder;
  private final FolderList list;
  private final FolderTrust trust;
  private final ProcessTable processes;
  private final LongSupplier clockMillis;
  private Map<String, LedgerEntry> known = new HashMap<>();
  private Set<String> hostile = new HashSet<>();

  OtherLedgers(Path folder, FolderTrust trust, ProcessTable processes, LongSupplier clockMillis) {
    this.folder = folder;
    this.list = new FolderList(folder);
    this.trust = trust;
    this.processes = processes;
    this.clockMillis = clockMillis;
  }

  /**
   * Adds what counts, but for {@code ownNames} files, and ends the tally; see {@link
   * Claims#outstanding}.
   */
  Outstanding addTo(
      Outstanding.Tally tally,
      Set<String> ownNames,
      long totalBytes,
      long deadCountUntilMillis,
      long deadKeptMillis) {
    List<LedgerEntry> seen = look(ownNames, tally);
    long now = clockMillis.getAsLong();
    Set<String> containers = new HashSet<>();
    for (LedgerEntry entry : seen) {
      if (entry.name.lease
          && !trust.bounds(entry.uid)
          && entry.alive(now, processes, Immutable.setOf())) {
        containers.add(entry.name.holder);
      }
    }
    for (LedgerEntry entry : seen) {
      if (entry.alive(now, processes, containers)
          || entry.deadSinceMillis >= deadCountUntilMillis) {
        count(entry, Math.min(entry.bytes, totalBytes), tally);
      } else if (now - entry.deadSinceMillis >= deadKeptMillis) {
        entry.delete();
      }
    }
    return tally.result(list.crowded());
  }

  private List<LedgerEntry> look(Set<String> ownNames, Outstanding.Tally tally) {
    List<LedgerEntry> seen = new ArrayList<>();
    Map<String, LedgerEntry> met = new HashMap<>();
    Set<String> ignored = new HashSet<>();
    for (String name : list.names()) {
      if (ownNames.contains(name)) {
        continue;
      }
      LedgerEntry entry = known.get(name);
      boolean believed = false;
      try {
        if (entry == null && !hostile.contains(name)) {
          entry = LedgerEntry.meet(folder, name, processes);
        }
        if (entry != null && trust.bounds(entry.uid) && !tally.admits(entry.uid)) {
          met.put(name, entry);
          continue;
        }
        believed = entry != null && entry.look();
      } catch (NoSuchFileException e) {
        continue;
      } catch (IOException e) {
        LOG.debug("Cannot read ledger {} in {}", name, folder, e);
        // One that was read before says what it said.
        believed = known.containsKey(name);
        if (!believed) {
          tally.unread();
          continue;
        }
      }
      if (entry != null && believed) {
        if (met.put(name, entry) == null) {
          seen.add(entry);
        }
      } else {
        ignored.add(name);
        tally.ignore();
      }
    }
    hostile = ignored;
    known = met;
    return seen;
  }

  private void count(LedgerEntry entry, long bytes, Outstanding.Tally tally) {
    if (bytes > 0) {
      tally.add(entry.uid, trust.bounds(entry.uid), bytes);
    }
  }
}
