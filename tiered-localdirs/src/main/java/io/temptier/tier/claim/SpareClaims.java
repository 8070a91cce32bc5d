// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import com.google.auto.value.AutoValue;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Claims of nothing that this process keeps in a folder for its next ones: to make and delete a
 * file costs ten times as much as to rename one.
 *
 * <p>Safe for use by many threads.
 */
final class SpareClaims {
  private static final int MOST = 2;

  /** Of each folder. One JVM may see many lists of the same dirs, each with claims of its own. */
  private static final Map<Path, SpareClaims> BY_FOLDER = new ConcurrentHashMap<>();

  /** A file, and when its lease was last renewed. */
  @AutoValue
  abstract static class Spare {
    abstract File file();

    abstract long touchedMillis();

    static Spare of(File file, long touchedMillis) {
      return new AutoValue_SpareClaims_Spare(file, touchedMillis);
    }
  }

  private final Queue<Spare> spares = new ConcurrentLinkedQueue<>();

  private SpareClaims() {}

  /** Those in {@code folder}. */
  static SpareClaims in(Path folder) {
    return BY_FOLDER.computeIfAbsent(folder, path -> new SpareClaims());
  }

  /** Makes one the file of a claim, with a lease; false when there is none to be had. */
  boolean become(File file, Claim claim, long nowMillis) {
    Spare spare = spares.poll();
    if (spare == null) {
      return false;
    }
    // Its lease is the new claim's at first.
    if (Math.abs(nowMillis - spare.touchedMillis()) < Claims.LEASE_MILLIS / 2) {
      claim.touchedAt(spare.touchedMillis());
    } else if (!spare.file().setLastModified(nowMillis)) {
      return false;
    }
    return spare.file().renameTo(file);
  }

  /**
   * Ends a claim: its file is kept as {@code spare}, or deleted where there are enough.
   *
   * @param file the claim's
   * @param spare a name that claims nothing
   */
  void keep(Claim claim, File file, File spare) {
    if (spares.size() >= MOST || !file.renameTo(spare)) {
      file.delete();
      return;
    }
    if (claim.writtenBytes() > 0) {
      try (RandomAccessFile used = new RandomAccessFile(spare, "rw")) {
        used.setLength(0);
      } catch (IOException e) {
        spare.delete();
        return;
      }
    }
    spares.add(Spare.of(spare, claim.touchedMillis()));
  }

  /** Renews the lease of one; false when there is none, or it cannot be touched. */
  boolean touchOne(long nowMillis) {
    Spare spare = spares.poll();
    if (spare == null || !spare.file().setLastModified(nowMillis)) {
      return false;
    }
    spares.add(Spare.of(spare.file(), nowMillis));
    return true;
  }

  /** Deletes them. */
  void drop() {
    for (Spare spare = spares.poll(); spare != null; spare = spares.poll()) {
      spare.file().delete();
    }
  }
}
