// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import io.temptier.tier.os.FileStamp;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Promises of this process in one local dir: a number in memory, and a file whose length is that
 * number for all others to see. It has holes only, so it takes no block. Bytes that the file cannot
 * show, as under {@code ulimit -f}, are not promised.
 *
 * <p>The number is raised in memory, then in the file, and only then may its writer look at what
 * others promise. It is lowered in memory; the file follows with the next write. So a file that
 * lags behind says too much, never too little.
 *
 * <p>Safe for use by many threads. The file is written under the ledger's lock, which is held by
 * threads alone that wait for the dir anyway.
 */
final class Ledger {
  private static final Logger LOG = LoggerFactory.getLogger(Ledger.class);

  /** Names of this process that are taken are drawn by accident, or the folder is hostile. */
  private static final int MOST_DRAWS = 3;

  /** A ledger that promised nothing in so many rounds, which are seconds, is deleted. */
  private static final int MOST_RESTS = 10;

  /** However lax the umask; where it is strict, others may still ask for the length. */
  private static final FileAttribute<?> MODE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--"));

  private final Claims home;
  private final String holder;
  private final boolean lease;
  private final AtomicLong promised = new AtomicLong();

  /** Changed under the lock; null while there is none. */
  private volatile @Nullable File file;

  // Guarded by this.
  /** Stamp of the file that was made; null where that is not known. */
  private @Nullable FileStamp stamp;

  private long length;
  private int rests;

  /** Makes a ledger without a file yet; {@code lease} makes it a container's lease. */
  Ledger(Claims home, String holder, boolean lease) {
    this.home = home;
    this.holder = holder;
    this.lease = lease;
  }

  boolean visible() {
    return file != null;
  }

  void addName(Set<String> names) {
    File now = file;
    if (now != null) {
      names.add(now.getName());
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
      // Only this process knows what it promised. A file that is away with its disk says the same
      // when it is back.
      return;
    }
    File now = file;
    if (now != null && !stands(now) && delete(now)) {
      now = null;
      file = null;
    }
    if (now == null && make) {
      now = make();
    }
    if (now != null) {
      show(now, Math.max(0, promised.get()));
    }
  }

  /** True if the file is as it was made: after a long stop another user's link may be there. */
  private boolean stands(File now) {
    FileStamp found = FileStamp.findAnybodys(now.toPath()).orElse(null);
    if (found == null || stamp == null || !found.same(stamp)) {
      return false;
    }
    length = found.bytes();
    return true;
  }

  /** Deletes the file; false when something of ours may be left. */
  private boolean delete(File now) {
    try {
      return now.delete()
          || !FileStamp.find(now.toPath())
              .filter(found -> stamp == null || found.same(stamp))
              .isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  private void show(File now, long bytes) throws IOException {
    if (length == bytes) {
      return;
    }
    // No channel: it fails in a thread that is interrupted.
    try (RandomAccessFile open = new RandomAccessFile(now, "rw")) {
      open.setLength(bytes);
    }
    length = bytes;
  }

  /** Writes the promise to the file, for callers that do not mind if it lags for a while. */
  void write() {
    try {
      write(promised.get() > 0);
    } catch (IOException e) {
      LOG.debug("Cannot write {}", this, e);
    }
  }

  /** Makes a file, exclusively, so never through a link. It may be there also when this throws. */
  private File make() throws IOException {
    for (int draws = 1; ; draws++) {
      File made = home.draw(holder, lease);
      file = made;
      stamp = null;
      length = 0;
      try {
        Files.createFile(made.toPath(), MODE);
        stamp = FileStamp.of(made.toPath());
        rests = 0;
        return made;
      } catch (FileAlreadyExistsException e) {
        file = null;
        if (draws == MOST_DRAWS) {
          throw e;
        }
      }
    }
  }

  /** Writes and renews the lease; makes the file when it is not there. */
  synchronized void renew(long nowMillis) throws IOException {
    write(true);
    File now = file;
    if (now != null && home.trust().trusted() && !now.setLastModified(nowMillis)) {
      throw new IOException("Cannot touch " + now);
    }
  }

  /**
   * Deletes the file, now or after a while, unless bytes are promised; the next claim makes
   * another. False when it is left.
   */
  synchronized boolean drop(boolean now) {
    if (promised.get() > 0 || (!now && rests++ < MOST_RESTS)) {
      write();
      return false;
    }
    File last = file;
    // One that is away with its disk is not gone.
    if (last == null || (home.trust().trusted() && delete(last))) {
      file = null;
      home.remove(this);
      return true;
    }
    return false;
  }

  @Override
  public String toString() {
    return String.valueOf(file);
  }
}
