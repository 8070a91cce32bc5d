// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.ProcessTable;
import java.io.File;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The claims on one local dir, shared by every process of the node through a folder that one can
 * {@code ls}: a {@link Ledger} for each process and application, whose length is what that process
 * promised to files and they have not written yet ({@link LedgerName}). A process that claims
 * raises the length of its ledger, then adds up all lengths; so the cost grows with processes, not
 * with files.
 *
 * <p><b>Liveness.</b> A ledger counts while its modification time, which owners renew every second,
 * is younger than {@link #LEASE_MILLIS}, and also while its owner runs, known from pid and start
 * time. A ledger whose owner's pid no process has any more ends at once, where the name says that
 * the owner is of the reader's pid namespace. The lease is what counts between pid namespaces
 * (containers) and under {@code hidepid}, where owners are not visible; the pid is what counts
 * while an owner is stopped. For an owner that is stopped and not visible the NodeManager keeps a
 * lease while the container runs ({@link ContainerLeases}).
 *
 * <p><b>Trust.</b> The folder is world-writable and sticky, so any user can lie, but only about
 * that user's own claims, and only at the cost of speed. Names that do not parse and files that are
 * not regular are ignored and counted; a length beyond the file system's size counts as that; a
 * ledger in the name of another user's process has only its lease; what one user claims is bounded
 * ({@link Outstanding}). A folder with more than {@link #MAX_ENTRIES} entries is not read to its
 * end. What is promised is not known then, so the dir counts as full. The NodeManager deletes what
 * is too much ({@link ClaimSweep}). Links are never followed: one that leads to a hung mount must
 * not hang the reader.
 *
 * <p><b>Without a folder</b>, as where no NodeManager runs TempTier, claims are counted within this
 * process only. The same holds for a folder that others may rename and delete in.
 *
 * <p>Safe for use by many threads, which wait for the dir, and for each other only where they read.
 */
public final class Claims {
  /** More entries than this in one folder are not read: a bound on what a hostile job can cost. */
  public static final int MAX_ENTRIES = 16_384;

  /** How long the ledger of an owner that is not visible counts after its last renewal. */
  static final long LEASE_MILLIS = 5_000;

  /** A NodeManager that keeps the folder has put it back after so long. */
  private static final long RESTORED_MILLIS = 60_000;

  private static final Logger LOG = LoggerFactory.getLogger(Claims.class);

  private final Path folder;
  private final FolderList list;
  private final Ledgers ledgers;
  private final FolderTrust trust;
  private final ProcessTable processes;
  private final LongSupplier clockMillis;
  private volatile long seenMillis = Long.MIN_VALUE / 2;

  // Guarded by this.
  private Map<String, LedgerEntry> known = new HashMap<>();
  private Set<String> hostile = new HashSet<>();

  /**
   * The claims in {@code folder}, which this process makes in ledgers of its own.
   *
   * @param folder need not exist; claims are then counted within this process
   * @param processes tells which owners run
   * @param clockMillis wall-clock time, as file systems stamp it
   */
  public Claims(Path folder, ProcessTable processes, LongSupplier clockMillis) {
    this(
        folder,
        new Ledgers(folder, new FolderTrust(folder, clockMillis), processes),
        processes,
        clockMillis);
  }

  private Claims(Path folder, Ledgers ledgers, ProcessTable processes, LongSupplier clockMillis) {
    this.folder = folder;
    this.ledgers = ledgers;
    this.trust = ledgers.trust();
    this.list = new FolderList(folder, MAX_ENTRIES);
    this.processes = processes;
    this.clockMillis = clockMillis;
  }

  /** The same in the ledgers that all of this process share. */
  public static Claims ofProcess(Path folder, ProcessTable processes, LongSupplier clockMillis) {
    return new Claims(
        folder, Ledgers.ofProcess(folder, processes, clockMillis), processes, clockMillis);
  }

  /**
   * Promises bytes to a file of this process. The promise stands at once for every process; whether
   * there was room for it is for the caller to check afterwards, on {@link #outstanding}.
   *
   * @param bytes how many, 0 or more
   * @param application the YARN application it is for, or null
   * @return the claim, or empty when others claim here and this process cannot: no room, no inode,
   *     read-only or not permitted
   */
  public Optional<Claim> claim(long bytes, @Nullable String application) {
    return Optional.ofNullable(ledgers.claim(Holder.of(application), bytes));
  }

  /** Renews what this process promised, and has all processes see what of it is used up. */
  public void renew() {
    ledgers.renew(clockMillis.getAsLong());
  }

  /** Has all processes see what was given up. */
  public void write() {
    ledgers.write();
  }

  /** Deletes ledgers that promise nothing, which are kept for the next claim. */
  public void drop() {
    ledgers.drop();
  }

  /** Whether {@link #drop} and the like have nothing to do. No I/O. */
  public boolean unused() {
    return ledgers.isEmpty();
  }

  /** Whether the folder takes another file, found by making one; a claim needs no inode. */
  public boolean makesFile() {
    return !trust.trusted() || ledgers.makesFile();
  }

  /**
   * What the user of this process may still claim of a dir or file system, by a reading: others do
   * not count more.
   */
  public long shareLeft(Outstanding reading, long totalBytes) {
    int self = processes.selfUid();
    return trust.trusted() && trust.bounds(self)
        ? Outstanding.mostOfUid(totalBytes) - reading.byUid().getOrDefault(self, 0L)
        : Long.MAX_VALUE;
  }

  /**
   * Whether the folder takes files now, found by touching or making one: the only question a disk
   * that turned read-only after an error, or a root that was emptied under us, does not answer
   * wrongly.
   *
   * @return true as well where the folder was never there, or not for {@link #RESTORED_MILLIS},
   *     since no NodeManager keeps it
   */
  public boolean takesFiles() {
    long now = clockMillis.getAsLong();
    if (!folder.toFile().isDirectory()) {
      return Math.abs(now - seenMillis) >= RESTORED_MILLIS;
    }
    seenMillis = now;
    return ledgers.touch(now);
  }

  /**
   * Reads what every process has outstanding, now.
   *
   * @param totalBytes size of the file system; what is longer counts as that
   * @param deadCountUntilMillis ledgers of owners seen gone at or after this time still count;
   *     {@link Long#MAX_VALUE} counts no dead owner. A capped dir passes the start of its last
   *     usage walk: what a process wrote before it ended is in no walk that began earlier.
   * @param deadKeptMillis how long the ledger of a dead owner is kept for other readers, whose
   *     walks may be older
   */
  public synchronized Outstanding outstanding(
      long totalBytes, long deadCountUntilMillis, long deadKeptMillis) {
    Outstanding.Tally tally = new Outstanding.Tally(totalBytes);
    boolean trusted = trust.trusted();
    int self = processes.selfUid();
    boolean bound = trusted && trust.bounds(self);
    Set<String> own = new HashSet<>();
    for (Ledger ledger : ledgers.all()) {
      File file = ledger.file();
      if (file != null) {
        own.add(file.getName());
      }
      if (ledger.promised() > 0) {
        tally.add(self, bound, ledger.promised());
        tally.add(ledger.holder().application(), ledger.promised());
      }
    }
    List<String> names = list.names();
    if (names.isEmpty()) {
      known = Immutable.mapOf();
      hostile = Immutable.setOf();
      return tally.result(list.crowded());
    }
    long now = clockMillis.getAsLong();
    Set<Holder> containers = new HashSet<>();
    OwnerLookup owners = new OwnerLookup(processes);
    List<LedgerEntry> read = look(names, own, tally);
    for (LedgerEntry entry : read) {
      if (entry.name.lease()
          && !trust.bounds(entry.uid)
          && entry.alive(now, owners, Immutable.setOf())) {
        containers.add(entry.name.holder());
      }
    }
    for (LedgerEntry entry : read) {
      if (entry.alive(now, owners, containers) || entry.deadSinceMillis >= deadCountUntilMillis) {
        count(entry, Math.min(entry.bytes, totalBytes), tally);
      } else if (now - entry.deadSinceMillis >= deadKeptMillis) {
        entry.delete();
      }
    }
    return tally.result(list.crowded());
  }

  /** Looks at the ledgers of others. */
  private List<LedgerEntry> look(List<String> names, Set<String> own, Outstanding.Tally tally) {
    Map<String, LedgerEntry> seen = new LinkedHashMap<>();
    Map<String, LedgerEntry> surplus = new HashMap<>();
    Set<String> ignored = new HashSet<>();
    for (String name : names) {
      if (own.contains(name)) {
        continue;
      }
      LedgerEntry entry = known.get(name);
      boolean believed = false;
      try {
        entry =
            entry == null && !hostile.contains(name)
                ? LedgerEntry.meet(folder.resolve(name), processes)
                : entry;
        if (entry != null && trust.bounds(entry.uid) && !tally.admits(entry.uid)) {
          surplus.put(name, entry);
          continue;
        }
        believed = entry != null && entry.look();
      } catch (NoSuchFileException e) {
        continue;
      } catch (IOException | RuntimeException e) {
        LOG.debug("Cannot read ledger {} in {}", name, folder, e);
      }
      if (entry != null && believed) {
        seen.put(name, entry);
      } else {
        ignored.add(name);
        tally.ignore();
      }
    }
    hostile = ignored;
    surplus.putAll(seen);
    known = surplus;
    return Immutable.listFrom(seen.values());
  }

  private void count(LedgerEntry entry, long bytes, Outstanding.Tally tally) {
    if (bytes == 0) {
      return;
    }
    boolean bound = trust.bounds(entry.uid);
    tally.add(entry.uid, bound, bytes);
    // Other users could use up an application's share in its name. The dirs' own user, who places
    // little, does not see what the tasks of others claimed.
    if (!bound || entry.uid == processes.selfUid()) {
      tally.add(entry.application, bytes);
    }
  }
}
