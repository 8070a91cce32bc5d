// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.temptier.tier.lang.Immutable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Opens a file below a local dir for reading where its user may put anything in its place, or in
 * that of a folder on the way, at any moment: a link, a named pipe, a device, a mount of their own,
 * another user's file. Each folder is opened from the one above, and what was opened is held
 * against what was looked at before: no link is followed, and nothing but a regular file comes
 * back. Folders belong to the owner of the local dir, to root or to one user at most; where a
 * user's folder is on the way, the file is that user's. No folder on the way lies on another file
 * system than the first below the local dir.
 *
 * <p>Java opens no file without waiting for a pipe's writer, so a user who swaps a pipe in between
 * the look and the opening stops the thread for good: the opening is done on a thread to spare, two
 * at most for each user and local dir. A file has any length, also one that no disk holds, and may
 * shrink while it is read; who reads bounds that.
 */
public final class UserFile {
  private static final TimedCalls CALLS = new TimedCalls("TempTier opens a user's file", 2);

  /** The names, such as {@code usercache/ann}, that tell whose file it is. */
  private static final int NAMES_OF_USER = 2;

  private static final String UNIX_ATTRIBUTES = "unix:uid,dev,fileKey";

  private UserFile() {}

  /**
   * Opens a file, and gives up after {@code patience}.
   *
   * @param localDir trusted, and a link perhaps
   * @param relative names below it, such as {@code usercache/ann/appcache/A/output/B/file.out}
   * @param patience how long to wait for the file to be open
   * @return for reading; to be closed by the caller
   * @throws java.nio.file.NoSuchFileException when there is no such file
   * @throws IOException when it is no such file as above, cannot be opened, or is late
   */
  public static FileChannel openRegular(Path localDir, Path relative, Duration patience)
      throws IOException {
    int names = Math.min(NAMES_OF_USER, relative.getNameCount());
    Path user = localDir.resolve(relative.subpath(0, names));
    return CALLS.call(user, patience, () -> openRegularHere(localDir, relative));
  }

  /** Opens on the caller's thread, which a user may stop for good. */
  public static FileChannel openRegularHere(Path localDir, Path relative) throws IOException {
    Path path = relative.normalize();
    if (relative.isAbsolute() || path.startsWith("..") || path.toString().isEmpty()) {
      throw new IOException(relative + " is not below " + localDir);
    }
    try (DirectoryStream<Path> top = Files.newDirectoryStream(localDir)) {
      int owner = (Integer) Files.getAttribute(localDir, "unix:uid");
      return open(secure(top), new Way(localDir, owner), path);
    }
  }

  private static FileChannel open(SecureDirectoryStream<Path> folder, Way way, Path rest)
      throws IOException {
    Path name = rest.getName(0);
    BasicFileAttributes seen = look(folder, name);
    boolean last = rest.getNameCount() == 1;
    way.down(name, seen, last);
    if (last) {
      return openFile(folder, way.path, name, seen);
    }
    try (SecureDirectoryStream<Path> next = openFolder(folder, name, seen.fileKey())) {
      return open(next, way, rest.subpath(1, rest.getNameCount()));
    }
  }

  /**
   * Opens a folder that was looked at.
   *
   * @param seen the key of the folder that was seen
   * @throws IOException when it may not be listed, or is not the folder that was seen
   */
  public static SecureDirectoryStream<Path> openFolder(
      SecureDirectoryStream<Path> parent, Path name, Object seen) throws IOException {
    // The dot: opening a pipe's name followed by it fails, where the name alone would wait.
    SecureDirectoryStream<Path> opened =
        parent.newDirectoryStream(name.resolve("."), NOFOLLOW_LINKS);
    try {
      requireSame(
          name,
          seen,
          opened.getFileAttributeView(BasicFileAttributeView.class).readAttributes().fileKey());
      return opened;
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  private static FileChannel openFile(
      SecureDirectoryStream<Path> folder, Path path, Path name, BasicFileAttributes seen)
      throws IOException {
    SeekableByteChannel opened =
        folder.newByteChannel(name, Immutable.setOf(StandardOpenOption.READ, NOFOLLOW_LINKS));
    try {
      // Fails on a pipe that somebody writes to, whose opening did not wait.
      opened.position(0);
      requireSame(path, seen.fileKey(), look(folder, name).fileKey());
      return (FileChannel) opened;
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  /** Returns the attributes of an entry of a folder, no link followed. */
  public static BasicFileAttributes look(SecureDirectoryStream<Path> folder, Path name)
      throws IOException {
    return folder
        .getFileAttributeView(name, BasicFileAttributeView.class, NOFOLLOW_LINKS)
        .readAttributes();
  }

  private static void requireSame(Path path, Object seen, @Nullable Object opened)
      throws IOException {
    if (!Objects.equals(seen, opened)) {
      throw new IOException(path + " was replaced while it was opened");
    }
  }

  /** The stream as one whose entries are opened from the folder itself. */
  @SuppressWarnings("unchecked")
  public static SecureDirectoryStream<Path> secure(DirectoryStream<Path> stream)
      throws IOException {
    if (stream instanceof SecureDirectoryStream) {
      return (SecureDirectoryStream<Path>) stream;
    }
    throw new IOException("this platform has no SecureDirectoryStream");
  }

  /** Way down to a file that is being opened, and whose folders it passed. */
  private static final class Way {
    private final int owner;
    private Path path;
    private int user;
    private long device = -1;

    Way(Path localDir, int owner) {
      this.path = localDir;
      this.owner = owner;
      this.user = owner;
    }

    /** Goes one name further down; throws where that is not to be trusted. */
    void down(Path name, BasicFileAttributes seen, boolean last) throws IOException {
      path = path.resolve(name);
      if (last ? !seen.isRegularFile() : !seen.isDirectory()) {
        throw new IOException(path + (last ? " is not a regular file" : " is not a folder"));
      }
      Map<String, Object> attributes = Files.readAttributes(path, UNIX_ATTRIBUTES, NOFOLLOW_LINKS);
      requireSame(path, seen.fileKey(), attributes.get("fileKey"));
      int uid = (Integer) Objects.requireNonNull(attributes.get("uid"));
      if (uid != user && !(mayBeOthers(last) && (uid == 0 || uid == owner))) {
        if (last || user != owner) {
          throw new IOException(path + " belongs to uid " + uid + " instead of uid " + user);
        }
        user = uid;
      }
      long dev = (Long) Objects.requireNonNull(attributes.get("dev"));
      if (!last && device != -1 && dev != device) {
        throw new IOException(path + " is a mount of its own");
      }
      device = device == -1 ? dev : device;
    }

    private boolean mayBeOthers(boolean last) {
      return !last || user == owner;
    }
  }
}
