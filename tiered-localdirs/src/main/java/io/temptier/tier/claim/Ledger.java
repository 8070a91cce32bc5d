// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Promises of this process in one local dir: a number in memory, and a file whose length is that
 * number for all others to see. Where the file system or a limit of the process refuses that
 * length, further files have the rest, and it is tried again each second.
 *
 * <p>The number is raised in memory, then in the files, and only then may its writer look at what
 * others promise. It is lowered in memory; the files follow with the next write. So files that lag
 * behind say too much, never too little.
 *
 * <p>Safe for use by many threads. Files are written under the ledger's lock, which is held by
 * threads alone that wait for the dir anyway.
 */
final class Ledger {
  private static final Logger LOG = LoggerFactory.getLogger(Ledger.class);

  /** Names of this process that are taken are drawn by accident, or the folder is hostile. */
  private static final int MOST_DRAWS = 3;

  /** A ledger that promised nothing in so many rounds, which are seconds, is deleted. */
  private static final int MOST_RESTS = 10;

  /** Part of {@link Outstanding.Tally#MOST_OF_UID}: other processes of the user need some. */
  private static final int MOST_FILES = 64;

  private final Claims home;
  private final String holder;
  private final boolean lease;
  private final AtomicLong promised = new AtomicLong();

  /** Changed under the lock. */
  private final List<LedgerFile> files = new CopyOnWriteArrayList<>();

  // Guarded by this.
  private int rests;

  /** Makes a ledger without a file yet; {@code lease} makes it a container's lease. */
  Ledger(Claims home, String holder, boolean lease) {
    this.home = home;
    this.holder = holder;
    this.lease = lease;
  }

  boolean visible() {
    return !files.isEmpty();
  }

  void addNames(Set<String> names) {
    for (LedgerFile file : files) {
      names.add(file.name());
    }
  }

  /** Promised and not yet written, by this process's own account. */
  long promised() {
    return promised.get();
  }

  /** Promises bytes; waits for the disk. Throws, without a promise, if others would not see it. */
  void raise(long bytes) throws IOException {
    promised.addAndGet(bytes);
    boolean stands = false;
    try {
      write(promised.get() > 0);
      stands = true;
    } finally {
      if (!stands) {
        promised.addAndGet(-bytes);
        write();
      }
    }
  }

  /** Takes back a promise in this process; others see it with the next write. No I/O. */
  void lower(long bytes) {
    promised.addAndGet(-bytes);
  }

  private synchronized void write(boolean make) throws IOException {
    home.add(this);
    if (!home.trust().check()) {
      // Only this process knows what it promised. Files that are away with their disk say the same
      // when they are back.
      return;
    }
    files.removeIf(file -> !file.stands() && file.delete());
    long wanted = Math.max(0, promised.get());
    long shown = 0;
    for (LedgerFile file : files) {
      shown += file.show(wanted - shown);
    }
    while (files.isEmpty() ? make : shown < wanted) {
      if (files.size() == MOST_FILES) {
        if (shown >= home.totalBytes()) {
          // They say that the whole file system is promised.
          break;
        }
        throw new IOException("The files " + files + " take no more bytes");
      }
      shown += make().show(wanted - shown);
    }
    files.removeIf(file -> file != files.get(0) && file.empty() && file.delete());
  }

  /** Writes the promise to the files, for callers that do not mind if the files lag for a while. */
  void write() {
    try {
      write(promised.get() > 0);
    } catch (IOException e) {
      LOG.debug("Cannot write {}", this, e);
    }
  }

  private LedgerFile make() throws IOException {
    for (int draws = 1; ; draws++) {
      LedgerFile made = new LedgerFile(home.draw(holder, lease));
      files.add(made);
      try {
        made.make();
        rests = 0;
        return made;
      } catch (FileAlreadyExistsException e) {
        files.remove(made);
        if (draws == MOST_DRAWS) {
          throw e;
        }
      }
    }
  }

  /** Writes and renews the lease; makes the file when it is not there. */
  synchronized void renew(long nowMillis) throws IOException {
    write(true);
    if (home.trust().trusted()) {
      for (LedgerFile file : files) {
        file.renew(nowMillis);
      }
    }
  }

  /**
   * Deletes the files, now or after a while, unless bytes are promised; the next claim makes
   * others. False when one is left.
   */
  synchronized boolean drop(boolean now) {
    if (promised.get() > 0 || (!now && rests++ < MOST_RESTS)) {
      write();
      return false;
    }
    // Files that are away with their disk are not gone.
    if (home.trust().trusted()) {
      files.removeIf(LedgerFile::delete);
    }
    if (files.isEmpty()) {
      home.remove(this);
    }
    return files.isEmpty();
  }

  @Override
  public String toString() {
    return files.toString();
  }
}
