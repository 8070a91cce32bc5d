// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The ledger of another process, as a reader knows it. Not safe for use by several threads. */
final class LedgerEntry {
  private final Path file;

  /** True if the file is of the user that runs its owner, as far as is known. */
  private final boolean ofOwner;

  final LedgerName name;

  final int uid;

  // As last read.
  long bytes;
  long modifiedMillis;

  /** Time when this reader first saw the owner gone, wall clock; 0 while it runs. */
  long deadSinceMillis;

  private LedgerEntry(Path file, LedgerName name, int uid, boolean ofOwner) {
    this.file = file;
    this.name = name;
    this.uid = uid;
    this.ofOwner = ofOwner;
  }

  /** Meets a file for the first time; null when its name is not a ledger's. */
  static @Nullable LedgerEntry meet(Path folder, String file, ProcessTable processes)
      throws IOException {
    LedgerName name = LedgerName.parse(file);
    if (name == null) {
      return null;
    }
    Path path = folder.resolve(file);
    int uid = FileStamp.of(path).uid();
    // Without this check a job could promise in the name of a process that never ends.
    int ownerUid = processes.uidOf(name.owner.pid());
    return new LedgerEntry(path, name, uid, ownerUid < 0 || ownerUid == uid);
  }

  /** Reads the file as it is now; false when it is not one to be believed. */
  boolean look() throws IOException {
    BasicFileAttributes attributes =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    bytes = attributes.size();
    modifiedMillis = attributes.lastModifiedTime().toMillis();
    return attributes.isRegularFile();
  }

  /** True if its owner lives or its container has a lease; if not, remembers since when. */
  boolean alive(long nowMillis, ProcessTable processes, Set<String> leasedContainers) {
    boolean leased = Math.abs(nowMillis - modifiedMillis) < Claims.LEASE_MILLIS;
    boolean ended = processes.sees(name.namespace, uid) && !processes.isPresent(name.owner.pid());
    if (!ended
        && (leased
            || (ofOwner && processes.isRunning(name.owner))
            || leasedContainers.contains(name.holder))) {
      deadSinceMillis = 0;
      return true;
    }
    if (deadSinceMillis == 0 || deadSinceMillis > nowMillis) {
      // The second is a clock that was set back.
      deadSinceMillis = nowMillis;
    }
    return false;
  }

  /** Best effort: the folder is sticky, so only the owner's user and the dir's keeper may. */
  void delete() {
    file.toFile().delete();
  }
}
