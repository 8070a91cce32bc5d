// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import io.temptier.tier.LocalDir;
import io.temptier.tier.claim.Claims;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.util.function.LongSupplier;

/**
 * Whether files can be made in a dir, and whether an operator is draining it: a failing disk still
 * tells its free space, and the fastest tier would draw every file to it. For one thread at a time,
 * but for {@link #draining}.
 */
final class WriteProof {
  private final LocalDir dir;
  private final Claims claims;
  private final long validNanos;
  private final LongSupplier clockNanos;
  private boolean writable;
  private volatile boolean draining;
  private long provenNanos;

  /** None yet; one is good for {@code validNanos}. */
  WriteProof(LocalDir dir, Claims claims, long validNanos, LongSupplier clockNanos) {
    this.dir = dir;
    this.claims = claims;
    this.validNanos = validNanos;
    this.clockNanos = clockNanos;
  }

  /** Whether the dir was being drained when it was last looked at. */
  boolean draining() {
    return draining;
  }

  /**
   * Makes a file, or touches one, unless that was done lately.
   *
   * @throws IOException when none can be made
   */
  void renew() throws IOException {
    long now = clockNanos.getAsLong();
    if (writable && now - provenNanos < validNanos) {
      return;
    }
    draining = NodeMarker.draining(dir.path());
    writable = claims.takesFiles();
    provenNanos = now;
    if (!writable) {
      throw new IOException(
          "no file can be made in "
              + NodeMarker.claims(dir.path())
              + "; is the disk read-only, full, or was the dir emptied?");
    }
  }
}
