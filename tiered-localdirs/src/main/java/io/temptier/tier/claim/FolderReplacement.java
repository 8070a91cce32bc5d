// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.temptier.tier.os.ProcessTable;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Puts a new folder in the place of a folder of claims that is crowded with what its owner may not
 * delete, such as another user's folders with something in them, or that grew: some file systems
 * never make a folder smaller, and each claim in it stays dear.
 *
 * <p>No promise is lost by that. A folder is replaced when nobody is promised anything in it.
 * Before that is looked at for the last time a sign is put beside it, and stays for {@link
 * #LINGER_MILLIS}: a process that claims and then sees the sign takes the dir for full ({@link
 * FolderList}), and claims elsewhere. So a claim either was there to be seen, or is given up. Files
 * made there without a look at the sign are lost.
 *
 * <p>For use by one thread, which waits for the dir.
 */
final class FolderReplacement {
  private static final int OPEN_MODE = 01777;

  /** Between a claim and the look at what others claim there is far less time. */
  static final long LINGER_MILLIS = 3_000;

  private final Path folder;
  private final ProcessTable processes;
  private final LongSupplier clockMillis;
  private long signSeenMillis;

  FolderReplacement(Path folder, ProcessTable processes, LongSupplier clockMillis) {
    this.folder = folder;
    this.processes = processes;
    this.clockMillis = clockMillis;
  }

  /** Whether {@code folder} is being replaced, or was a moment ago. */
  static boolean underWay(Path folder) {
    return sign(folder).toFile().isDirectory();
  }

  private static Path sign(Path folder) {
    return folder.resolveSibling(folder.getFileName() + ".next");
  }

  /** Takes the sign away when it is time, be it an earlier process's. */
  void end() throws IOException {
    if (!underWay(folder)) {
      signSeenMillis = 0;
      return;
    }
    long now = clockMillis.getAsLong();
    if (signSeenMillis == 0 || signSeenMillis > now) {
      signSeenMillis = now;
    } else if (now - signSeenMillis >= LINGER_MILLIS) {
      clear(sign(folder));
    }
  }

  /**
   * Replaces the folder, unless somebody is promised bytes in it.
   *
   * @param containers whose promises stand, whatever is seen of their processes
   * @return where the old one is now if something of it could not be deleted
   * @throws IOException when it is not replaced; {@link #end} and who keeps it put it in order
   */
  Optional<Path> replace(Set<String> containers) throws IOException {
    if (underWay(folder) || somebodyIsPromised(containers)) {
      return Optional.empty();
    }
    Path sign = sign(folder);
    Files.createDirectory(sign);
    if (somebodyIsPromised(containers)) {
      Files.delete(sign);
      return Optional.empty();
    }
    Path next = Files.createDirectory(sign.resolve("new"));
    Files.setAttribute(next, "unix:mode", OPEN_MODE, NOFOLLOW_LINKS);
    Path old = folder.resolveSibling(folder.getFileName() + ".old-" + clockMillis.getAsLong());
    Files.move(folder, old, StandardCopyOption.ATOMIC_MOVE);
    Files.move(next, folder, StandardCopyOption.ATOMIC_MOVE);
    signSeenMillis = clockMillis.getAsLong();
    clear(old);
    return Optional.of(old).filter(Files::exists);
  }

  private boolean somebodyIsPromised(Set<String> containers) throws IOException {
    long now = clockMillis.getAsLong();
    try (DirectoryStream<Path> claims = Files.newDirectoryStream(folder)) {
      for (Path claim : claims) {
        if (promises(claim, now, containers)) {
          return true;
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return false;
  }

  private boolean promises(Path claim, long now, Set<String> containers) throws IOException {
    try {
      LedgerEntry ledger = LedgerEntry.meet(claim, processes);
      return ledger != null
          && ledger.look()
          && ledger.bytes > 0
          // What the dead wrote counts on a capped dir until it is walked.
          && (Math.abs(now - ledger.modifiedMillis) < ClaimSweep.GRACE_MILLIS
              || ledger.alive(now, processes, containers));
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static void clear(Path old) throws IOException {
    // What cannot be deleted stays: far cheaper than an exception for each of many thousands.
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(old)) {
      for (Path entry : entries) {
        entry.toFile().delete();
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    old.toFile().delete();
  }
}
