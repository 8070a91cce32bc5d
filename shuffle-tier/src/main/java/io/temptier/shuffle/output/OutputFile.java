// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.output;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.io.SecureIOUtils;

/**
 * Looks at and opens files of a job, whose user may have put anything in their place: a link, a
 * pipe, another file. Waits for the device: called on lanes only.
 */
public final class OutputFile {
  /** The names that the NodeManager itself makes: {@code usercache} and the user's. */
  private static final int NAMES_OF_NODE_MANAGER = 2;

  private OutputFile() {}

  /** What lies there, be it a link; nothing when there is nothing. */
  public static Optional<BasicFileAttributes> find(Path file) throws IOException {
    try {
      return Optional.of(look(file));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private static BasicFileAttributes look(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class, NOFOLLOW_LINKS);
  }

  /** Whether two files belong to one user; a link is not followed. */
  public static boolean sameOwner(Path one, Path other) throws IOException {
    return Files.getAttribute(one, "unix:uid", NOFOLLOW_LINKS)
        .equals(Files.getAttribute(other, "unix:uid", NOFOLLOW_LINKS));
  }

  /**
   * Whether there is such a folder of an output below {@code root}.
   *
   * @throws IOException when a name on the way that the user could replace is no folder
   */
  public static boolean hasFolder(Path root, Path relative) throws IOException {
    // Most dirs do not have it: one call tells.
    if (find(root.resolve(relative)).isEmpty()) {
      return false;
    }
    for (int names = NAMES_OF_NODE_MANAGER + 1; names <= relative.getNameCount(); names++) {
      Path folder = root.resolve(relative.subpath(0, names));
      if (!look(folder).isDirectory()) {
        throw new IOException(folder + " is not a folder");
      }
    }
    return true;
  }

  /**
   * Opens a file for reading, with Hadoop's check of its owner where security is on.
   *
   * @param key of the file that was found there
   * @param user who must own it
   * @throws FileNotFoundException when it is gone, or another file took its place
   * @throws IOException when it is not the user's
   */
  public static RandomAccessFile open(Path file, Object key, String user) throws IOException {
    requireSame(file, key);
    RandomAccessFile open =
        SecureIOUtils.openForRandomRead(new File(file.toString()), "r", user, null);
    boolean same = false;
    try {
      requireSame(file, key);
      same = true;
      return open;
    } finally {
      if (!same) {
        open.close();
      }
    }
  }

  private static void requireSame(Path file, Object key) throws IOException {
    Optional<BasicFileAttributes> now = find(file);
    if (now.isEmpty()) {
      throw new FileNotFoundException(file + " (No such file or directory)");
    }
    if (!now.get().isRegularFile() || !key.equals(key(now.get()))) {
      throw new FileNotFoundException(file + " was replaced");
    }
  }

  /** Tells a file from all others of the machine, device and inode. */
  public static Object key(BasicFileAttributes file) {
    return Objects.requireNonNull(file.fileKey(), "Linux has keys");
  }
}
