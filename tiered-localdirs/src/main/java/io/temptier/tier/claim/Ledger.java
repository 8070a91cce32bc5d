// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import io.temptier.tier.os.FileStamp;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this process promised in one local dir for one application: a number in memory, and a file
 * whose length is that number for all others to see. The file has holes only, so it takes no block.
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
  private static final Set<PosixFilePermission> MODE = PosixFilePermissions.fromString("rw-r--r--");

  /** Names of this process that are taken are drawn by accident, or the folder is hostile. */
  private static final int MOST_DRAWS = 3;

  /** A file that promised nothing in so many rounds, which are seconds, is deleted. */
  private static final int MOST_RESTS = 10;

  /** A file system that takes no longer files than this is of no use for claims. */
  private static final long LEAST_LONGEST = 1 << 20;

  /**
   * {@code setLength} of Java 9 and 10 allocates what it adds (JDK-8168628); that of 8 and of 11 on
   * is one {@code ftruncate} (JDK-8202261).
   */
  private static final boolean ALLOCATES =
      System.getProperty("java.specification.version", "").matches("9|10");

  private final Claims home;
  final String holder;
  private final boolean lease;
  private final AtomicLong promised = new AtomicLong();
  private volatile @Nullable File file;
  // Guarded by this.
  private @Nullable FileStamp stamp;
  private long length;
  private long longest = Long.MAX_VALUE;
  private int rests;

  /** Has no file yet. One with {@code lease} is to be the NodeManager's lease for a container. */
  Ledger(Claims home, String holder, boolean lease) {
    this.home = home;
    this.holder = holder;
    this.lease = lease;
  }

  /** Where others see it; null when they do not. */
  @Nullable File file() {
    return file;
  }

  /** Promised and not yet written, by this process's own account. */
  long promised() {
    return promised.get();
  }

  /**
   * Promises bytes; waits for the disk. Throws when others would not see them: none is promised.
   */
  void raise(long bytes) throws IOException {
    promised.addAndGet(bytes);
    boolean stands = false;
    try {
      write(promised.get() > 0);
      stands = true;
    } finally {
      if (!stands) {
        promised.addAndGet(-bytes);
      }
    }
  }

  /** Takes back a promise in this process; others see it with the next write. No I/O. */
  void lower(long bytes) {
    promised.addAndGet(-bytes);
  }

  /** Returns the file where others see it; null when they do not. */
  private synchronized @Nullable File write(boolean make) throws IOException {
    home.add(this);
    if (!home.trusted()) {
      // A file that is away with its disk says the same when it is back.
      return null;
    }
    File there = file;
    FileStamp is = there == null ? null : FileStamp.findAnybodys(there.toPath()).orElse(null);
    if (there != null && (is == null || stamp == null || !is.same(stamp))) {
      // Who was stopped for longer than a lease may find it gone, or another user's link.
      there.delete();
      there = null;
    }
    if (there == null && make) {
      there = make();
    }
    file = there;
    long now = Math.min(promised.get(), longest);
    if (there != null && now != length) {
      try {
        setLength(there, now);
      } catch (IOException e) {
        now = setLongest(there, now, e);
      }
      length = now;
    }
    return there;
  }

  /** Has the file say what is promised, for callers that do not mind if it cannot for a while. */
  void write() {
    try {
      write(promised.get() > 0);
    } catch (IOException e) {
      LOG.debug("Cannot write {}", this, e);
    }
  }

  private File make() throws IOException {
    for (int draws = 1; ; draws++) {
      File made = home.draw(holder, lease);
      try {
        // Exclusively, so never through a link.
        Files.createFile(made.toPath(), PosixFilePermissions.asFileAttribute(MODE));
        // However strict the umask.
        Files.setPosixFilePermissions(made.toPath(), MODE);
        stamp = FileStamp.of(made.toPath());
        length = 0;
        rests = 0;
        return made;
      } catch (FileAlreadyExistsException e) {
        if (draws == MOST_DRAWS) {
          throw e;
        }
      }
    }
  }

  /** Saturates at half of the half ... that the file system takes. */
  private long setLongest(File there, long wanted, IOException refusal) throws IOException {
    for (long less = wanted / 2; less >= LEAST_LONGEST; less /= 2) {
      try {
        setLength(there, less);
        longest = less;
        return less;
      } catch (IOException e) {
        refusal.addSuppressed(e);
      }
    }
    throw refusal;
  }

  private static void setLength(File file, long length) throws IOException {
    // Not by a channel: those fail in a thread that is interrupted.
    try (RandomAccessFile open = new RandomAccessFile(file, "rw")) {
      if (ALLOCATES) {
        open.getChannel().truncate(length);
        if (open.length() < length) {
          open.seek(length - 1);
          open.write(0);
        }
      } else {
        open.setLength(length);
      }
    }
  }

  /** Writes and renews the lease; makes the file when it is not there. */
  synchronized void renew(long nowMillis) throws IOException {
    File there = write(true);
    if (there != null && !there.setLastModified(nowMillis)) {
      throw new IOException("Cannot touch " + there);
    }
  }

  /** Deletes the file, now or after a while, unless bytes are promised; the next makes another. */
  synchronized void drop(boolean now) {
    if (promised.get() > 0 || (!now && rests++ < MOST_RESTS)) {
      write();
      return;
    }
    File there = file;
    if (there == null || there.delete() || (home.trusted() && !there.exists())) {
      file = null;
      home.remove(this);
    }
  }

  @Override
  public String toString() {
    File there = file;
    return there == null ? "no ledger" : there.getPath();
  }
}
