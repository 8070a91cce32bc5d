// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.FileStamp;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The copy of a file in another dir, which is to take the file's place. It is written part by part,
 * so that readers of both disks are not held up.
 */
final class FileCopy {
  /** Written but not yet on the disk at most so much, or one flush would hold up readers. */
  private static final long FLUSH_BYTES = 32L << 20;

  private static final FileAttribute<?> OWN_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private FileCopy() {}

  /** An empty copy, which nobody else may read. There must be nothing of its name yet. */
  static FileChannel create(Path path) throws IOException {
    return FileChannel.open(path, Immutable.setOf(CREATE_NEW, WRITE), OWN_FILE);
  }

  /**
   * Copies all of a file, with owner, mode and times; to the disk with it.
   *
   * @param in at its beginning
   * @param partBytes the most to write at once
   * @param control asked before each part
   * @return false when the file became shorter
   */
  static boolean fill(
      FileChannel in, FileChannel out, FileMover.Route route, int partBytes, MoveControl control)
      throws IOException {
    long bytes = route.stamp().bytes();
    long flushed = 0;
    for (long position = 0; position < bytes; ) {
      long part = Math.min(partBytes, bytes - position);
      control.pass(route.target(), part);
      long copied = in.transferTo(position, part, out);
      if (copied <= 0) {
        return false;
      }
      position += copied;
      if (position - flushed >= FLUSH_BYTES) {
        out.force(false);
        flushed = position;
      }
    }
    become(route.partial(), route.stamp());
    Files.setLastModifiedTime(route.partial(), route.stamp().modified());
    // What is not on the disk yet is not to be the only copy.
    out.force(true);
    return true;
  }

  /** Gives a file or folder of this process's owner, group and mode of another. */
  static void become(Path path, FileStamp like) throws IOException {
    FileStamp now = FileStamp.of(path);
    if (now.uid() != like.uid()) {
      Files.setAttribute(path, "unix:uid", like.uid(), NOFOLLOW_LINKS);
    }
    if (now.gid() != like.gid()) {
      Files.setAttribute(path, "unix:gid", like.gid(), NOFOLLOW_LINKS);
    }
    if (now.permissions() != like.permissions()) {
      Files.setAttribute(path, "unix:mode", like.permissions(), NOFOLLOW_LINKS);
    }
  }
}
