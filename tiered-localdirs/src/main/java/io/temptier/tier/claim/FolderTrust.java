// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.os.FileStamp;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * Trust in a folder of claims: whether others can exchange what this process writes there, and
 * whose claims are bounded. Looked at anew every {@link #MILLIS}. Safe for use by many threads.
 */
final class FolderTrust {
  private static final long MILLIS = 10_000;
  private static final int OTHERS_WRITE = 0022;
  private static final int STICKY = 01000;
  private static final int NOBODY = -1;

  private final Path folder;
  private final Path dir;
  private final LongSupplier clockMillis;
  private volatile int dirUid = NOBODY;
  private volatile boolean trusted;
  private volatile long lookedMillis;

  /** The trust in {@code folder}, which lies two below a local dir. */
  FolderTrust(Path folder, LongSupplier clockMillis) {
    this.folder = folder;
    this.dir = Objects.requireNonNull(Objects.requireNonNull(folder.getParent()).getParent());
    this.clockMillis = clockMillis;
  }

  /**
   * Tests that nobody but this process, root and the owner of the local dir can replace what this
   * process makes there: a real folder of one of theirs, which others may not write to, or only
   * with the sticky bit set.
   *
   * @throws IOException when nobody can tell: it is not known either whether others claim there
   */
  boolean check() throws IOException {
    boolean due = Math.abs(clockMillis.getAsLong() - lookedMillis) >= MILLIS;
    return (trusted && !due) || lookAgain();
  }

  /** Returns {@link #check}, or false where nobody can tell. */
  boolean trusted() {
    try {
      return check();
    } catch (IOException e) {
      return false;
    }
  }

  boolean lookAgain() throws IOException {
    boolean now = false;
    try {
      int keeper = NodeMarker.keeper(dir);
      FileStamp stamp = FileStamp.of(folder);
      dirUid = keeper;
      now =
          stamp.directory()
              && (stamp.uid() == 0 || stamp.uid() == keeper)
              && ((stamp.mode() & OTHERS_WRITE) == 0 || (stamp.mode() & STICKY) != 0);
    } catch (NoSuchFileException e) {
      // Nobody keeps it.
    } finally {
      trusted = now;
      lookedMillis = clockMillis.getAsLong();
    }
    return now;
  }

  /** True if the claims of {@code uid} are bounded: not for the local dir's keeper, nor root. */
  boolean bounds(int uid) {
    return uid > 0 && uid != dirUid;
  }
}
