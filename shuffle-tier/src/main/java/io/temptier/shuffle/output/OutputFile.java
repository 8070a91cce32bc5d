// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.output;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import com.google.auto.value.AutoValue;
import io.temptier.tier.os.UserFile;
import java.io.Closeable;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
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

  /** Returns the attributes of a file or link; empty when there is none. */
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

  /**
   * True if there is such a folder of an output below {@code root}.
   *
   * @throws IOException when a name on the way that the user could replace is no folder
   */
  public static boolean hasFolder(Path root, Path relative) throws IOException {
    // Most dirs do not have it: one call tells.
    if (!find(root.resolve(relative)).isPresent()) {
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

  @AutoValue
  public abstract static class Opened implements Closeable {
    public abstract FileChannel channel();

    /** Descriptor for calls of Hadoop's native library; null where that is missing. */
    public abstract @Nullable FileDescriptor descriptor();

    public static Opened of(FileChannel channel, @Nullable FileDescriptor descriptor) {
      return new AutoValue_OutputFile_Opened(channel, descriptor);
    }

    @Override
    public void close() throws IOException {
      channel().close();
    }
  }

  /**
   * Opens a file for reading. Where Kerberos is on its owner is checked, by Hadoop where its native
   * library is there, and by us where it is missing: there stock Hadoop opens nothing.
   *
   * @param key of the file that was found there
   * @param user who must own it
   * @throws FileNotFoundException when it is gone, or another file took its place
   * @throws IOException when it is not the user's
   */
  public static Opened open(Path file, Object key, String user) throws IOException {
    if (UserGroupInformation.isSecurityEnabled() && !NativeIO.isAvailable()) {
      return openAsOwned(file, key, user);
    }
    requireSame(file, key);
    RandomAccessFile open =
        SecureIOUtils.openForRandomRead(new File(file.toString()), "r", user, null);
    try {
      requireSame(file, key);
      return Opened.of(open.getChannel(), open.getFD());
    } catch (IOException | RuntimeException | Error e) {
      open.close();
      throw e;
    }
  }

  /**
   * The check of an owner without native code. Java cannot ask an open file whose it is: what was
   * opened is a file of the user's folders, by no link, and what the name stands for before and
   * after is the user's. A hard link that is put there in between would not be noticed; Linux lets
   * nobody make one to another user's file, unless {@code fs.protected_hardlinks} is off.
   */
  static Opened openAsOwned(Path file, Object key, String user) throws IOException {
    requireOwned(file, key, user);
    Path root = MapOutputId.root(file);
    FileChannel open = UserFile.openRegular(root, root.relativize(file), PATIENCE);
    try {
      requireOwned(file, key, user);
      return Opened.of(open, null);
    } catch (IOException | RuntimeException | Error e) {
      open.close();
      throw e;
    }
  }

  private static void requireOwned(Path file, Object key, String user) throws IOException {
    requireSame(file, key);
    PosixFileAttributes now = Files.readAttributes(file, PosixFileAttributes.class, NOFOLLOW_LINKS);
    String owner = now.owner().getName();
    if (!key.equals(key(now)) || !owner.equals(user)) {
      throw new IOException(
          String.format(
              "Owner '%s' for path %s did not match expected owner '%s'", owner, file, user));
    }
  }

  private static void requireSame(Path file, Object key) throws IOException {
    Optional<BasicFileAttributes> now = find(file);
    if (!now.isPresent()) {
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
