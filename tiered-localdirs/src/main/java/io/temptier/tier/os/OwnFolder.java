// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An open folder of one user below a local dir. It was reached from there one name at a time, with
 * no link followed, and none of the folders on the way can be exchanged by another user: each
 * belongs to this one and is not for everybody to write. The first may belong to the owner of the
 * local dir, as {@code usercache} does. Deleting a name deletes it in the folder that was opened,
 * whatever has become of the path.
 *
 * <p>The group is trusted, as Hadoop trusts it with its container-executor. For one thread.
 */
public final class OwnFolder implements AutoCloseable {
  /** A folder, or one on the way to it, belongs to another user. */
  public static final class ForeignException extends IOException {
    private final transient Path folder;

    ForeignException(Path folder) {
      super(folder + " belongs to another user");
      this.folder = folder;
    }

    public Path folder() {
      return folder;
    }
  }

  /** Bound on entries looked at in a folder: its owner alone is to pay for more. */
  public static final int MOST_NAMES = 100_000;

  private final Path path;
  private final SecureDirectoryStream<Path> stream;
  private final int ownUid;

  private OwnFolder(Path path, SecureDirectoryStream<Path> stream, int ownUid) {
    this.path = path;
    this.stream = stream;
    this.ownUid = ownUid;
  }

  /**
   * Opens a folder.
   *
   * @param relative its path in the dir
   * @return empty when it or a folder on the way is missing, is no folder, or may be written by
   *     everybody
   * @throws ForeignException when it or a folder on the way is another user's
   * @throws IOException also when one may not be read, or was replaced while it was opened
   */
  // The folder closes what it was opened with.
  @SuppressWarnings("StreamResourceLeak")
  public static Optional<OwnFolder> open(Path localDir, Path relative, int ownUid)
      throws IOException {
    int alsoUid;
    OwnFolder folder;
    try {
      folder = new OwnFolder(localDir, UserFile.secure(Files.newDirectoryStream(localDir)), ownUid);
      alsoUid = (Integer) Files.getAttribute(localDir, "unix:uid");
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    for (Path name : relative) {
      try (OwnFolder parent = folder) {
        Optional<OwnFolder> next = parent.child(name.toString(), alsoUid);
        alsoUid = ownUid;
        if (!next.isPresent()) {
          return next;
        }
        folder = next.get();
      }
    }
    return Optional.of(folder);
  }

  /** Opens a folder in this one, as {@link #open} does. */
  public Optional<OwnFolder> child(String name) throws IOException {
    return child(name, ownUid);
  }

  private Optional<OwnFolder> child(String name, int alsoUid) throws IOException {
    Path below = path.resolve(name);
    try {
      FileStamp stamp = FileStamp.of(below);
      if (!stamp.directory()) {
        return Optional.empty();
      }
      if (stamp.uid() != ownUid && stamp.uid() != alsoUid) {
        throw new ForeignException(below);
      }
      if (stamp.forEverybody()) {
        return Optional.empty();
      }
      SecureDirectoryStream<Path> opened =
          UserFile.openFolder(stream, Paths.get(name), stamp.key());
      return Optional.of(new OwnFolder(below, opened, ownUid));
    } catch (NoSuchFileException | NotDirectoryException e) {
      return Optional.empty();
    }
  }

  /** Returns its path when it was opened. */
  public Path path() {
    return path;
  }

  /** The names in it that begin with a prefix, {@link #MOST_NAMES} at most. To be asked once. */
  public List<String> names(String prefix) throws IOException {
    List<String> names = new ArrayList<>();
    try {
      for (Path entry : stream) {
        String name = String.valueOf(entry.getFileName());
        if (name.startsWith(prefix) && names.size() < MOST_NAMES) {
          names.add(name);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  /** Returns an entry's attributes, no link followed; empty when there is none of that name. */
  public Optional<BasicFileAttributes> look(String name) throws IOException {
    try {
      return Optional.of(UserFile.look(stream, Paths.get(name)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** Deletes a file or link; false when there is none of that name, or a folder. */
  public boolean deleteFile(String name) throws IOException {
    Path entry = Paths.get(name);
    try {
      if (UserFile.look(stream, entry).isDirectory()) {
        return false;
      }
      stream.deleteFile(entry);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  public void deleteIfEmpty(String name) throws IOException {
    try {
      stream.deleteDirectory(Paths.get(name));
    } catch (NoSuchFileException | DirectoryNotEmptyException e) {
      // As it should be.
    }
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
