// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.output;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.UserFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.io.SecureIOUtils;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * Looks at and opens files of a job, whose user may have put anything in their place: a link, a
 * pipe, another file. Waits for the device: called on lanes only.
 */
public final class OutputFile {
  /** The names that the NodeManager itself makes: {@code usercache} and the user's. */
  private static final int NAMES_OF_NODE_MANAGER = 2;

  /** Fetchers ask again sooner. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private OutputFile() {}

  /**
   * True if there is such a folder of an output below {@code root}.
   *
   * @throws IOException when a name on the way that the user could replace is no folder
   */
  public static boolean hasFolder(Path root, Path relative) throws IOException {
    // Most dirs do not have it: one call tells.
    if (!FileStamp.find(root.resolve(relative)).isPresent()) {
      return false;
    }
    for (int names = NAMES_OF_NODE_MANAGER + 1; names <= relative.getNameCount(); names++) {
      Path folder = root.resolve(relative.subpath(0, names));
      if (!FileStamp.of(folder).directory()) {
        throw new IOException(folder + " is not a folder");
      }
    }
    return true;
  }

  /**
   * Opens a file for reading. Where Kerberos is on its owner is checked.
   *
   * @param key of the file that was found there, {@link FileStamp#key}
   * @param user who must own it
   * @throws FileNotFoundException when it is gone, or another file took its place
   * @throws IOException when it is not the user's
   */
  public static FileChannel open(Path file, Object key, String user) throws IOException {
    return openOwned(file, key, UserGroupInformation.isSecurityEnabled() ? user : null);
  }

  /**
   * Checks the owner, unless that is null. Java alone cannot ask an open file whose it is. Without
   * Hadoop's native library what was opened is a file of the user's folders, by no link, and what
   * the name stands for before and after is the user's. A hard link that is put there in between
   * would not be noticed; Linux lets nobody make one to another user's file, unless {@code
   * fs.protected_hardlinks} is off.
   */
  static FileChannel openOwned(Path file, Object key, @Nullable String owner) throws IOException {
    require(file, key, owner);
    FileChannel open;
    try {
      open = openFor(file, owner);
    } catch (IOException e) {
      require(file, key, owner);
      throw e;
    }
    try {
      require(file, key, owner);
      return open;
    } catch (IOException | RuntimeException | Error e) {
      open.close();
      throw e;
    }
  }

  private static FileChannel openFor(Path file, @Nullable String owner) throws IOException {
    if (owner == null) {
      return FileChannel.open(file, Immutable.setOf(StandardOpenOption.READ));
    }
    if (NativeIO.isAvailable()) {
      // Asks the open file whose it is.
      return SecureIOUtils.openForRandomRead(file.toFile(), "r", owner, null).getChannel();
    }
    Path root = MapOutputId.root(file);
    return UserFile.openRegular(root, root.relativize(file), PATIENCE);
  }

  private static void require(Path file, Object key, @Nullable String owner) throws IOException {
    Optional<FileStamp> now = FileStamp.find(file);
    if (!now.isPresent()) {
      throw new FileNotFoundException(file + " (No such file or directory)");
    }
    if (!now.get().regular() || !key.equals(now.get().key())) {
      throw new FileNotFoundException(file + " was replaced");
    }
    String found = owner == null ? null : Files.getOwner(file, NOFOLLOW_LINKS).getName();
    if (!Objects.equals(found, owner)) {
      throw new IOException(
          String.format(
              "Owner '%s' for path %s did not match expected owner '%s'", found, file, owner));
    }
  }
}
