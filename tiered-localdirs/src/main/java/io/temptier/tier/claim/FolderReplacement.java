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
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Puts a new folder in the place of a folder of claims that is crowded with what its owner may not
 * delete, such as another user's folders with something in them.
 *
 * <p>No promise is lost by that. A crowded folder promises nothing new, so the promises in it end
 * one by one; the folder is replaced when there is none. It is closed before, so that no other user
 * makes one in the meantime. A process that may not list it, or looks at the instant at which there
 * is no folder but the new one beside it, takes the dir for full ({@link FolderList}). Claims that
 * the owner's own processes make in that instant are made again when they are renewed, within a
 * second.
 *
 * <p>For use by one thread, which waits for the dir.
 */
final class FolderReplacement {
  private static final int CLOSED_MODE = 0700;
  private static final int OPEN_MODE = 01777;

  private final Path folder;
  private final ProcessTable processes;
  private final LongSupplier clockMillis;

  FolderReplacement(Path folder, ProcessTable processes, LongSupplier clockMillis) {
    this.folder = folder;
    this.processes = processes;
    this.clockMillis = clockMillis;
  }

  /** Whether {@code folder} is not there because a new one is about to be. */
  static boolean underWay(Path folder) {
    return Files.isDirectory(beside(folder, ".next"), NOFOLLOW_LINKS);
  }

  private static Path beside(Path folder, String suffix) {
    return folder.resolveSibling(folder.getFileName() + suffix);
  }

  /**
   * Replaces the folder, unless somebody is promised bytes in it.
   *
   * @param containers whose promises stand, whatever is seen of their processes
   * @return where the old one is now, without what could be deleted of it; empty when it was not
   *     replaced
   * @throws IOException when it may be closed and not replaced; to be opened again by who keeps it
   */
  Optional<Path> replace(Set<Holder> containers) throws IOException {
    if (somebodyIsPromised(containers)) {
      return Optional.empty();
    }
    Files.setAttribute(folder, "unix:mode", CLOSED_MODE, NOFOLLOW_LINKS);
    if (somebodyIsPromised(containers)) {
      Files.setAttribute(folder, "unix:mode", OPEN_MODE, NOFOLLOW_LINKS);
      return Optional.empty();
    }
    Path next = beside(folder, ".next");
    if (!Files.isDirectory(next, NOFOLLOW_LINKS)) {
      Files.createDirectory(next);
    }
    Files.setAttribute(next, "unix:mode", OPEN_MODE, NOFOLLOW_LINKS);
    Path old = beside(folder, ".old-" + clockMillis.getAsLong());
    Files.move(folder, old, StandardCopyOption.ATOMIC_MOVE);
    Files.move(next, folder, StandardCopyOption.ATOMIC_MOVE);
    clear(old);
    return Optional.of(old);
  }

  private boolean somebodyIsPromised(Set<Holder> containers) throws IOException {
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

  private boolean promises(Path claim, long now, Set<Holder> containers) throws IOException {
    String name = String.valueOf(claim.getFileName());
    if (ClaimEntry.nameOf(name).map(ClaimEntry.Name::bytes).orElse(0L) == 0) {
      return false;
    }
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(claim, BasicFileAttributes.class, NOFOLLOW_LINKS);
      ClaimEntry entry =
          attributes.isRegularFile() ? ClaimEntry.parse(name, folder, processes) : null;
      if (entry == null) {
        return false;
      }
      entry.modifiedMillis = attributes.lastModifiedTime().toMillis();
      // What the dead wrote counts on a capped dir until it is walked.
      return Math.abs(now - entry.modifiedMillis) < ClaimSweep.GRACE_MILLIS
          || entry.alive(now, new OwnerLookup(processes), containers);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static void clear(Path old) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(old)) {
      for (Path entry : entries) {
        deleteIfPossible(entry);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    deleteIfPossible(old);
  }

  private static void deleteIfPossible(Path path) {
    // Far cheaper than an exception for each of many thousands.
    path.toFile().delete();
  }
}
