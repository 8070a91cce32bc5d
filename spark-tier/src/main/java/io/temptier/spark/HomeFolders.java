// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import io.temptier.tier.BlockFolders;
import io.temptier.tier.LocalDir;
import io.temptier.tier.lang.Immutable;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folders for files that lie in another local dir than their home: one for each home in each
 * local dir where it has such files. Safe for use by many threads.
 */
final class HomeFolders {
  private static final Logger LOG = LoggerFactory.getLogger(HomeFolders.class);

  private final Map<LocalDir, Path> parents;
  private final boolean othersRead;

  /**
   * @param parents the folder of this executor or application in each local dir that has a home
   * @param othersRead whether the shuffle service of another user must be able to read and delete
   *     files
   */
  HomeFolders(Map<LocalDir, Path> parents, boolean othersRead) {
    this.parents = Immutable.copyOf(parents);
    this.othersRead = othersRead;
  }

  boolean othersRead() {
    return othersRead;
  }

  Map<LocalDir, Path> parents() {
    return parents;
  }

  /** True if a file lies in a folder that was made for a home. */
  boolean isAnnexed(Path file) {
    Path sub = file.getParent();
    Path annex = sub == null ? null : sub.getParent();
    return annex != null
        && BlockFolders.isAnnex(String.valueOf(annex.getFileName()))
        && parents.containsValue(annex.getParent());
  }

  /** The folder in a local dir for files of a home that is elsewhere. */
  Path annex(String home, LocalDir dir) {
    return Objects.requireNonNull(parents.get(dir)).resolve(BlockFolders.annex(home));
  }

  /**
   * Makes a folder of a home in a dir, unless it is there. Throws where it cannot be written.
   *
   * @param model the home, whose permissions it has if others must read it
   * @param sub the name of the folder
   */
  Path make(String home, LocalDir dir, Path model, String sub) throws IOException {
    Path annex = annex(home, dir);
    Path folder = annex.resolve(sub);
    if (Files.isWritable(folder)) {
      return folder;
    }
    for (Path missing : Immutable.listOf(annex, folder)) {
      try {
        Files.createDirectory(missing);
        if (othersRead) {
          like(missing, missing.equals(annex) ? model : model.resolve(sub));
        }
      } catch (FileAlreadyExistsException e) {
        if (!Files.isWritable(missing)) {
          throw e;
        }
        // By another thread, or by an earlier one.
      }
    }
    return folder;
  }

  /** Gives a folder the permissions of another. */
  static void like(Path folder, Path model) throws IOException {
    Set<PosixFilePermission> wanted = Files.getPosixFilePermissions(model);
    if (!wanted.equals(Files.getPosixFilePermissions(folder))) {
      Files.setPosixFilePermissions(folder, wanted);
    }
  }

  /**
   * Makes links in the folders of one folder to everything that can be listed in those of another.
   */
  void linkAll(Path from, Path to) {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(from)) {
      if (othersRead) {
        like(to, from);
      }
      for (Path folder : folders) {
        Path links = to.resolve(folder.getFileName());
        if (!Files.isDirectory(folder)) {
          // Somebody's who writes into a home itself.
          link(folder, links);
          continue;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
          Files.createDirectories(links);
          if (othersRead) {
            like(links, folder);
          }
          for (Path file : files) {
            link(file, links.resolve(file.getFileName()));
          }
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      LOG.info("Not all of {} can be listed: {}", from, e.toString());
    }
  }

  private static void link(Path file, Path link) throws IOException {
    if (Files.notExists(link, LinkOption.NOFOLLOW_LINKS)) {
      Files.createSymbolicLink(link, TieredFile.bytesOf(file));
    }
  }
}
