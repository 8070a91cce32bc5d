// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import java.io.IOException;

/**
 * Bytes promised to one file that is being written: a part of what this process's {@link Ledger}
 * promises. Safe for use by many threads. Only methods that say so wait for the disk.
 */
public final class Claim {
  private final Ledger ledger;
  // Guarded by this.
  private long bytes;
  private long writtenBytes;
  private boolean over;

  /** A claim to bytes that the ledger promises already. */
  Claim(Ledger ledger, long bytes) {
    this.ledger = ledger;
    this.bytes = bytes;
  }

  public synchronized long bytes() {
    return bytes;
  }

  /** Uses up the promise as far as the file is written; never takes a byte back. */
  public synchronized void written(long soFar) {
    long now = Math.min(soFar, bytes);
    if (!over && now > writtenBytes) {
      ledger.lower(now - writtenBytes);
      writtenBytes = now;
    }
  }

  /** Promises more bytes; waits for the disk, and throws when others would not see them. */
  public void extend(long more) throws IOException {
    ledger.raise(more);
    synchronized (this) {
      if (over) {
        ledger.lower(more);
      } else {
        bytes += more;
      }
    }
  }

  /** Renews the lease, for processes that cannot see this one's pid; waits for the disk. */
  public void renew(long nowMillis) throws IOException {
    ledger.renew(nowMillis);
  }

  /** Gives up what is left; other processes see that when the ledger is next written. */
  public synchronized void giveUp() {
    if (!over) {
      over = true;
      ledger.lower(bytes - writtenBytes);
    }
  }

  /** Gives up what is left for all to see; waits for the disk. */
  public void release() {
    giveUp();
    ledger.write();
  }

  @Override
  public String toString() {
    return bytes() + " bytes in " + ledger;
  }
}
