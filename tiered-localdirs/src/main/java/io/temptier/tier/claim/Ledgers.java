// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import io.temptier.tier.os.ProcessTable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledgers of this process in one local dir, one for each application. One JVM may see many
 * lists of the same dirs: they share these. Safe for use by many threads.
 */
final class Ledgers {
  private static final Logger LOG = LoggerFactory.getLogger(Ledgers.class);
  private static final Map<Path, Ledgers> OF_PROCESS = new ConcurrentHashMap<>();

  private final File folder;
  private final FolderTrust trust;
  private final ProcessTable processes;
  private final Map<Holder, Ledger> byHolder = new ConcurrentHashMap<>();

  /** Those with a file, or with a promise. */
  private final Set<Ledger> ledgers = ConcurrentHashMap.newKeySet();

  private volatile boolean failing;

  Ledgers(Path folder, FolderTrust trust, ProcessTable processes) {
    this.folder = folder.toFile();
    this.trust = trust;
    this.processes = processes;
  }

  /** Those of this process in {@code folder}. */
  static Ledgers ofProcess(Path folder, ProcessTable processes, LongSupplier clockMillis) {
    return OF_PROCESS.computeIfAbsent(
        folder, path -> new Ledgers(path, new FolderTrust(path, clockMillis), processes));
  }

  FolderTrust trust() {
    return trust;
  }

  ProcessTable processes() {
    return processes;
  }

  /** Whether ledgers have files: else only this process knows what it promised. */
  boolean trusted() {
    return trust.trusted();
  }

  File fileOf(LedgerName name) {
    return new File(folder, name.toString());
  }

  void add(Ledger ledger) {
    ledgers.add(ledger);
  }

  void remove(Ledger ledger) {
    ledgers.remove(ledger);
    byHolder.remove(ledger.holder(), ledger);
  }

  Ledger of(Holder holder) {
    return byHolder.computeIfAbsent(holder, any -> new Ledger(this, any, false));
  }

  /** Promises bytes; null, logged once, when others would not see that. */
  @Nullable Claim claim(Holder holder, long bytes) {
    Ledger ledger = of(holder);
    try {
      try {
        ledger.raise(bytes);
      } catch (IOException e) {
        // The folder may have been taken away, or emptied, since it was last looked at.
        if (trust.lookAgain()) {
          throw e;
        }
        ledger.raise(bytes);
      }
      failing = false;
      return new Claim(ledger, bytes);
    } catch (IOException e) {
      if (!failing) {
        failing = true;
        LOG.warn(
            "Cannot claim in {}: {}. Until that works, files go to slower dirs, as this one may be"
                + " full of what others were promised. The folder should have free inodes, mode"
                + " 1777 and the NodeManager's user as its owner.",
            folder,
            e.toString());
      }
      return null;
    }
  }

  /** Whether this process can touch a ledger, or make a file where it has none. */
  boolean touch(long nowMillis) {
    Ledger any = null;
    for (Ledger ledger : ledgers) {
      any = ledger.file() == null ? any : ledger;
    }
    if (any == null) {
      return makesFile();
    }
    try {
      any.renew(nowMillis);
      return true;
    } catch (IOException e) {
      LOG.debug("{} takes no files", folder, e);
      return false;
    }
  }

  /** Whether a file can be made: to write to one that is there takes no inode. */
  boolean makesFile() {
    File proof = fileOf(LedgerName.draw(processes, Holder.none(), false));
    try {
      return proof.createNewFile();
    } catch (IOException e) {
      LOG.debug("{} takes no more files", folder, e);
      return false;
    } finally {
      proof.delete();
    }
  }

  /** Renews those that promise something, and writes the others. */
  void renew(long nowMillis) {
    for (Ledger ledger : ledgers) {
      if (ledger.promised() == 0) {
        ledger.writeQuietly();
        continue;
      }
      try {
        ledger.renew(nowMillis);
      } catch (IOException e) {
        LOG.debug("{} may run out", ledger, e);
      }
    }
  }

  /** Has all files say what is promised. */
  void write() {
    ledgers.forEach(Ledger::writeQuietly);
  }

  /** Deletes the files of those that promise nothing. */
  void drop() {
    ledgers.forEach(Ledger::drop);
  }

  /** Whether there is something to {@link #drop}. No I/O. */
  boolean isEmpty() {
    return ledgers.isEmpty();
  }

  /** Those with a file, or with a promise. */
  Iterable<Ledger> all() {
    return ledgers;
  }
}
