// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
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
  private Map<String, Entry> known = new HashMap<>();
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
    List<Entry> seen = look(ownNames, tally);
    long now = clockMillis.getAsLong();
    Set<String> containers = new HashSet<>();
    for (Entry entry : seen) {
      if (entry.name.lease && !trust.bounds(entry.uid) && entry.alive(now, Immutable.setOf())) {
        containers.add(entry.name.holder);
      }
    }
    for (Entry entry : seen) {
      if (entry.alive(now, containers) || entry.deadSinceMillis >= deadCountUntilMillis) {
        long bytes = Math.min(entry.bytes, totalBytes);
        if (bytes > 0) {
          tally.add(entry.uid, trust.bounds(entry.uid), bytes);
        }
      } else if (now - entry.deadSinceMillis >= deadKeptMillis) {
        // Best effort: the folder is sticky, so only the owner's user and the dir's keeper may.
        entry.file.toFile().delete();
      }
    }
    return tally.result(list.crowded());
  }

  private List<Entry> look(Set<String> ownNames, Outstanding.Tally tally) {
    List<Entry> seen = new ArrayList<>();
    Map<String, Entry> met = new HashMap<>();
    Set<String> ignored = new HashSet<>();
    for (String name : list.names()) {
      if (ownNames.contains(name)) {
        continue;
      }
      Entry entry = known.get(name);
      boolean believed = false;
      try {
        if (entry == null && !hostile.contains(name)) {
          LedgerName parsed = LedgerName.parse(name);
          entry = parsed == null ? null : new Entry(folder.resolve(name), parsed);
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

  /** The ledger of another process, as this reader knows it. */
  private final class Entry {
    final Path file;
    final LedgerName name;
    final int uid;

    /** True if the file is of the user that runs its owner, as far as is known. */
    private final boolean ofOwner;

    // As last read.
    long bytes;
    private long modifiedMillis;

    /** Time when this reader first saw the owner gone, wall clock; 0 while it runs. */
    long deadSinceMillis;

    Entry(Path file, LedgerName name) throws IOException {
      this.file = file;
      this.name = name;
      this.uid = FileStamp.of(file).uid();
      // Without this check a job could promise in the name of a process that never ends.
      int ownerUid = processes.uidOf(name.owner.pid());
      this.ofOwner = ownerUid < 0 || ownerUid == uid;
    }

    /** Reads the file as it is now; false when it is not one to be believed. */
    boolean look() throws IOException {
      BasicFileAttributes attributes =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      bytes = attributes.size();
      modifiedMillis = attributes.lastModifiedTime().toMillis();
      return attributes.isRegularFile();
    }

    /** True if its owner lives or its container has a lease; if not, remembers since when. */
    boolean alive(long nowMillis, Set<String> leasedContainers) {
      boolean leased = Math.abs(nowMillis - modifiedMillis) < Claims.LEASE_MILLIS;
      boolean ended = processes.sees(name.namespace, uid) && !processes.isPresent(name.owner.pid());
      if (!ended
          && (leased
              || (ofOwner && processes.isRunning(name.owner))
              || leasedContainers.contains(name.holder))) {
        deadSinceMillis = 0;
        return true;
      }
      if (deadSinceMillis == 0 || deadSinceMillis > nowMillis) {
        // The second is a clock that was set back.
        deadSinceMillis = nowMillis;
      }
      return false;
    }
  }
}
