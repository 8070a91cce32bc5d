// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import com.google.auto.value.AutoValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** File that a name stood for when it was looked at, links not followed. */
@AutoValue
public abstract class FileStamp {

  private static final int TYPE = 0170000;
  private static final int REGULAR = 0100000;
  private static final int DIRECTORY = 0040000;
  private static final int PERMISSIONS = 07777;
  private static final int STICKY = 01000;
  private static final int OTHERS_WRITE = 0002;

  /** The file, as the JDK compares files: its device and inode. */
  public abstract Object key();

  /** Type and permissions, as {@code stat} has them. */
  public abstract int mode();

  public abstract int uid();

  public abstract int gid();

  public abstract int links();

  public abstract long bytes();

  public abstract FileTime modified();

  /** Throws {@link NoSuchFileException} when there is nothing of that name. */
  public static FileStamp of(Path path) throws IOException {
    Map<String, Object> all =
        Files.readAttributes(
            path, "unix:fileKey,mode,uid,gid,nlink,size,lastModifiedTime", NOFOLLOW_LINKS);
    return new AutoValue_FileStamp(
        Objects.requireNonNull(all.get("fileKey")),
        (int) number(all, "mode"),
        (int) number(all, "uid"),
        (int) number(all, "gid"),
        (int) number(all, "nlink"),
        number(all, "size"),
        (FileTime) Objects.requireNonNull(all.get("lastModifiedTime")));
  }

  /** Looks at {@code path}; empty when there is nothing of that name. */
  public static Optional<FileStamp> find(Path path) throws IOException {
    try {
      return Optional.of(of(path));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /**
   * Finds the file in a folder that anybody may write to; empty also for what cannot be looked at,
   * such as a mount of its user's, which must not hide what lies beside it.
   */
  public static Optional<FileStamp> findAnybodys(Path path) {
    try {
      return find(path);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static long number(Map<String, Object> all, String name) {
    return ((Number) Objects.requireNonNull(all.get(name), name)).longValue();
  }

  public boolean regular() {
    return (mode() & TYPE) == REGULAR;
  }

  public boolean directory() {
    return (mode() & TYPE) == DIRECTORY;
  }

  /** True if every user may exchange what is in it. */
  public boolean forEverybody() {
    return (mode() & OTHERS_WRITE) != 0 && (mode() & STICKY) == 0;
  }

  /** The permissions, set-id and sticky bits included. */
  public int permissions() {
    return mode() & PERMISSIONS;
  }

  /** True if it is the same file. An inode that was deleted may be another user's, or a link's. */
  public boolean same(FileStamp now) {
    return key().equals(now.key()) && mode() == now.mode() && uid() == now.uid();
  }

  /** True if it is the same file with the same content, as far as a file system tells. */
  public boolean unchanged(FileStamp now) {
    return same(now) && sameContent(now);
  }

  /** True if it has the content of another file of its user, as far as a file system tells. */
  public boolean sameContent(FileStamp other) {
    return uid() == other.uid() && bytes() == other.bytes() && modified().equals(other.modified());
  }
}
