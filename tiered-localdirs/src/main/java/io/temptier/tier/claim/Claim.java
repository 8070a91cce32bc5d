// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import org.jspecify.annotations.Nullable;

/**
 * Bytes promised to one file that is being written: a file in the claims folder whose name says how
 * many were promised and whose (sparse) length says how many of them are written already. Where
 * there is no such folder, the promise is known to this process alone. Safe for use by many
 * threads; methods that write to the folder wait for its disk, and hold up others that do.
 */
public final class Claim {
  private final @Nullable File file;
  private final Claims home;
  private final long bytes;
  // Read by the threads that add up the promises of this process.
  private volatile long writtenBytes;
  private volatile long touchedMillis;
  private volatile boolean givenUp;
  private boolean released;

  /**
   * A claim.
   *
   * @param file where it stands for every process, or null when only this one knows of it
   * @param home where it is released
   * @param nowMillis wall clock
   */
  Claim(@Nullable File file, long bytes, Claims home, long nowMillis) {
    this.touchedMillis = nowMillis;
    this.file = file;
    this.bytes = bytes;
    this.home = home;
  }

  /** Where it stands for every process, or null when only this one knows of it. */
  @Nullable File file() {
    return file;
  }

  /** At least since when its lease runs, wall clock. */
  long touchedMillis() {
    return touchedMillis;
  }

  /** Says since when its lease runs. */
  void touchedAt(long millis) {
    touchedMillis = millis;
  }

  /** Bytes promised in all. */
  public long bytes() {
    return bytes;
  }

  /** Bytes promised and not yet written; 0 from {@link #giveUp} on. */
  long outstandingBytes() {
    return givenUp ? 0 : bytes - writtenBytes;
  }

  /** Bytes that the file's length tells every process. */
  long writtenBytes() {
    return writtenBytes;
  }

  /** Whether it counts nothing any more in this process. */
  boolean givenUp() {
    return givenUp;
  }

  /** Counts nothing from now on in this process; in others from {@link #release} on. No I/O. */
  public void giveUp() {
    givenUp = true;
  }

  /** Tells every process how much of the promise is used up; never takes a byte back. */
  public synchronized void written(long soFar) throws IOException {
    long length = Math.min(soFar, bytes);
    if (!released && length > writtenBytes) {
      setLength(length);
      writtenBytes = length;
    }
  }

  private void setLength(long length) throws IOException {
    if (file != null) {
      // Claims are made only in a folder where nobody else can put a link in this one's place.
      try (RandomAccessFile claim = new RandomAccessFile(file, "rw")) {
        claim.setLength(length);
      }
    }
  }

  /**
   * Renews the lease, for processes that cannot see this one's pid. A process that was stopped for
   * longer than a lease may find its claim removed, and makes it again.
   */
  public synchronized void renew(long nowMillis) throws IOException {
    if (released) {
      return;
    }
    touchedMillis = nowMillis;
    if (file != null && !file.setLastModified(nowMillis) && file.createNewFile()) {
      setLength(writtenBytes);
    }
  }

  /** Gives up what is left of the promise. */
  public synchronized void release() {
    giveUp();
    if (!released) {
      released = true;
      home.release(this);
    }
  }

  @Override
  public String toString() {
    return file == null ? bytes + " bytes" : file.getPath();
  }
}
