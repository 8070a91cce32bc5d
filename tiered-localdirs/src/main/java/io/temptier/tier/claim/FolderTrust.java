// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * Whether others can exchange what this process writes into a folder of claims, and whose claims
 * are bounded there. Looked at anew every {@link #MILLIS}. Safe for use by many threads.
 */
final class FolderTrust {
  private static final long MILLIS = 10_000;
  private static final int OTHERS_WRITE = 0022;
  private static final int STICKY = 01000;
  private static final int NOBODY = -1;

  private static final class Look {
    final boolean trusted;
    final int dirUid;
    final long atMillis;

    Look(boolean trusted, int dirUid, long atMillis) {
      this.trusted = trusted;
      this.dirUid = dirUid;
      this.atMillis = atMillis;
    }
  }

  private final Path folder;
  private final Path dir;
  private final LongSupplier clockMillis;
  private volatile Look last = new Look(false, NOBODY, 0);

  /**
   * The trust in {@code folder}.
   *
   * @param folder two below a local dir
   */
  FolderTrust(Path folder, LongSupplier clockMillis) {
    this.folder = folder;
    this.dir = Objects.requireNonNull(Objects.requireNonNull(folder.getParent()).getParent());
    this.clockMillis = clockMillis;
  }

  /**
   * Whether nobody but this process, root and the owner of the local dir can put something else in
   * the place of what this process makes there: a real folder of one of theirs, which others may
   * not write to, or only with the sticky bit set.
   */
  boolean trusted() {
    Look look = last;
    boolean due = Math.abs(clockMillis.getAsLong() - look.atMillis) >= MILLIS;
    return (look.trusted && !due) || lookAgain();
  }

  /** The same, looked at now. */
  boolean lookAgain() {
    boolean trusted = trust(folder, dir);
    last = new Look(trusted, keeper(), clockMillis.getAsLong());
    return trusted;
  }

  private int keeper() {
    try {
      return NodeMarker.keeper(dir);
    } catch (IOException | RuntimeException e) {
      return NOBODY;
    }
  }

  /** Whether what {@code uid} may claim is bounded: not for the local dir's keeper, nor root. */
  boolean bounds(int uid) {
    return uid > 0 && uid != last.dirUid;
  }

  private static boolean trust(Path folder, Path dir) {
    try {
      return look(folder, dir);
    } catch (NoSuchFileException e) {
      // Claims fail for that instant; each process alone would know of them if there were none.
      return FolderReplacement.underWay(folder) || isThereNow(folder, dir);
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  /** A replacement may have ended since the folder was not there. */
  private static boolean isThereNow(Path folder, Path dir) {
    try {
      return look(folder, dir);
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  private static boolean look(Path folder, Path dir) throws IOException {
    Map<String, Object> attributes =
        Files.readAttributes(folder, "unix:uid,mode,isDirectory", LinkOption.NOFOLLOW_LINKS);
    Object uid = attributes.get("uid");
    Object mode = attributes.get("mode");
    boolean real = Boolean.TRUE.equals(attributes.get("isDirectory"));
    return real
        && uid instanceof Integer
        && mode instanceof Integer
        && ((Integer) uid == 0 || (Integer) uid == NodeMarker.keeper(dir))
        && (((Integer) mode & OTHERS_WRITE) == 0 || ((Integer) mode & STICKY) != 0);
  }
}
