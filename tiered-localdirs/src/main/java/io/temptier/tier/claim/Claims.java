// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import io.temptier.tier.os.ProcessTable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The claims on one local dir, shared by every process of the node through a folder that one can
 * {@code ls}: a {@link Ledger} for each process, whose length is what that process promised to
 * files and they have not written yet ({@link LedgerName}). A process that claims raises the length
 * of its ledger, then adds up all lengths; so the cost grows with processes, not with files.
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

  /** Time for which the ledger of an owner that is not visible counts after its last renewal. */
  static final long LEASE_MILLIS = 5_000;

  /** A NodeManager that keeps the folder has put it back after so long. */
  private static final long RESTORED_MILLIS = 60_000;

  private static final Logger LOG = LoggerFactory.getLogger(Claims.class);
  private static final ProcessTable PROCESSES = new ProcessTable();
  private static final Map<Path, Claims> OF_PROCESS = new ConcurrentHashMap<>();

  private final File folder;
  private final FolderTrust trust;
  private final ProcessTable processes;
  private final LongSupplier clockMillis;
  private final OtherLedgers others;
  private final Ledger own = new Ledger(this, LedgerName.OWN, false);

  /** Ledgers with a file, or with a promise. */
  private final Set<Ledger> ledgers = ConcurrentHashMap.newKeySet();

  private volatile String whyNot = "";
  private volatile long seenMillis = Long.MIN_VALUE / 2;

  public Claims(Path folder, LongSupplier clockMillis) {
    this(folder, PROCESSES, clockMillis);
  }

  /** Claims in a folder, which need not exist, by the wall clock, as file systems stamp files. */
  public Claims(Path folder, ProcessTable processes, LongSupplier clockMillis) {
    this.folder = folder.toFile();
    this.trust = new FolderTrust(folder, clockMillis);
    this.processes = processes;
    this.clockMillis = clockMillis;
    this.others = new OtherLedgers(folder, trust, processes, clockMillis);
  }

  /** Returns the process's shared claims: it may see many lists of the same dirs. */
  public static Claims ofProcess(Path folder, LongSupplier clockMillis) {
    return OF_PROCESS.computeIfAbsent(folder, path -> new Claims(path, clockMillis));
  }

  FolderTrust trust() {
    return trust;
  }

  ProcessTable processes() {
    return processes;
  }

  File draw(String holder, boolean lease) {
    return new File(folder, LedgerName.draw(processes, holder, lease));
  }

  void add(Ledger ledger) {
    ledgers.add(ledger);
  }

  void remove(Ledger ledger) {
    ledgers.remove(ledger);
  }

  /**
   * Promises bytes to a file of this process. The promise stands at once for every process; whether
   * there was room for it is for the caller to check afterwards, on {@link #outstanding}.
   *
   * @param bytes how many, 0 or more
   * @return the claim, or empty when others claim here and this process cannot: no room, no inode,
   *     read-only or not permitted; {@link #whyNot} tells
   */
  public Optional<Claim> claim(long bytes) {
    try {
      try {
        own.raise(bytes);
      } catch (IOException e) {
        // The folder may have been taken away, or emptied, since it was last looked at.
        if (trust.lookAgain()) {
          throw e;
        }
        own.raise(bytes);
      }
      return Optional.of(new Claim(own, bytes));
    } catch (IOException e) {
      whyNot =
          "Cannot claim in "
              + folder
              + ", which should have free inodes, mode 1777 and the NodeManager's user as its"
              + " owner: "
              + e;
      return Optional.empty();
    }
  }

  public String whyNot() {
    return whyNot;
  }

  /** Renews what this process promised, and has all processes see what of it is used up. */
  public void renew() {
    for (Ledger ledger : ledgers) {
      if (ledger.promised() == 0) {
        ledger.drop(false);
      } else {
        renewed(ledger);
      }
    }
  }

  /** Writes what was given up, so that all processes see it. */
  public void write() {
    for (Ledger ledger : ledgers) {
      ledger.write();
    }
  }

  /** Deletes ledgers that promise nothing, which are kept for the next claim. */
  public void drop() {
    ledgers.forEach(ledger -> ledger.drop(true));
  }

  /** True if {@link #drop} and the like have nothing to do. No I/O. */
  public boolean unused() {
    return ledgers.isEmpty();
  }

  /** True if the folder takes another file, found by making one; a claim needs no inode. */
  public boolean makesFile() {
    return !trust.trusted() || makesProof();
  }

  /** Makes a ledger and drops it; ledgers are deleted another time if they cannot be right away. */
  private boolean makesProof() {
    Ledger proof = new Ledger(this, LedgerName.NOBODY, false);
    boolean made = renewed(proof);
    proof.drop(true);
    return made;
  }

  private boolean renewed(Ledger ledger) {
    try {
      ledger.renew(clockMillis.getAsLong());
      return true;
    } catch (IOException e) {
      LOG.debug("{} takes no files", folder, e);
      return false;
    }
  }

  /**
   * Returns the bytes that the user of this process may still claim of a dir or file system, by a
   * reading: others do not count more.
   */
  public long shareLeft(Outstanding reading, long totalBytes) {
    return boundsSelf()
        ? Outstanding.mostOfUid(totalBytes) - reading.byUid().getOrDefault(processes.selfUid(), 0L)
        : Long.MAX_VALUE;
  }

  private boolean boundsSelf() {
    return trust.trusted() && trust.bounds(processes.selfUid());
  }

  /**
   * Tests that the folder takes files now, by touching or making one: no other question finds out a
   * disk that turned read-only after an error, or a root that was emptied under us.
   *
   * @return true as well where the folder was never there, or not for {@link #RESTORED_MILLIS},
   *     since no NodeManager keeps it
   */
  public boolean takesFiles() {
    long now = clockMillis.getAsLong();
    if (!folder.isDirectory()) {
      return Math.abs(now - seenMillis) >= RESTORED_MILLIS;
    }
    seenMillis = now;
    if (!trust.trusted()) {
      return folder.canWrite();
    }
    for (Ledger ledger : ledgers) {
      if (ledger.visible()) {
        return renewed(ledger);
      }
    }
    return makesProof();
  }

  /**
   * Reads what the living have outstanding, now. The capacity of a file system tells what the dead
   * wrote.
   *
   * @param capped whether others may not have walked that yet, who need the ledgers of the dead
   */
  public Outstanding ofLiving(long totalBytes, boolean capped) {
    return outstanding(totalBytes, Long.MAX_VALUE, capped ? Long.MAX_VALUE : 0);
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
    boolean bound = boundsSelf();
    Set<String> names = new HashSet<>();
    for (Ledger ledger : ledgers) {
      ledger.addName(names);
      if (ledger.promised() > 0) {
        tally.add(processes.selfUid(), bound, ledger.promised());
      }
    }
    return others.addTo(tally, names, totalBytes, deadCountUntilMillis, deadKeptMillis);
  }
}
