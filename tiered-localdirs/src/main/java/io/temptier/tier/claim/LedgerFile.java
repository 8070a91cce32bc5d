// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import io.temptier.tier.os.FileStamp;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * A file of a {@link Ledger}, whose length is bytes promised. It has holes only, so it takes no
 * block. For one thread at a time.
 */
final class LedgerFile {
  /** However lax the umask; where it is strict, others may still ask for the length. */
  private static final FileAttribute<?> MODE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--"));

  private final File file;

  /** Stamp of the file that was made; null where that is not known. */
  private @Nullable FileStamp stamp;

  private long length;

  /** Names a file that is still to be {@link #make made}. */
  LedgerFile(File file) {
    this.file = file;
  }

  /** Makes the file, exclusively, so never through a link. May have done so also when it throws. */
  void make() throws IOException {
    Files.createFile(file.toPath(), MODE);
    stamp = FileStamp.of(file.toPath());
  }

  String name() {
    return file.getName();
  }

  /** True if the file is as it was made: after a long stop another user's link may be there. */
  boolean stands() {
    FileStamp found = FileStamp.findAnybodys(file.toPath()).orElse(null);
    if (found == null || stamp == null || !found.same(stamp)) {
      return false;
    }
    length = found.bytes();
    return true;
  }

  /** Deletes it; false when something of ours may be left. */
  boolean delete() {
    try {
      return file.delete()
          || !FileStamp.find(file.toPath())
              .filter(found -> stamp == null || found.same(stamp))
              .isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  /** Sets its length. */
  void show(long bytes) throws IOException {
    if (length == bytes) {
      return;
    }
    // No channel: it fails in a thread that is interrupted.
    try (RandomAccessFile open = new RandomAccessFile(file, "rw")) {
      open.setLength(bytes);
    }
    length = bytes;
  }

  /** Sets its time. */
  void renew(long nowMillis) throws IOException {
    if (!file.setLastModified(nowMillis)) {
      throw new IOException("Cannot touch " + file);
    }
  }

  @Override
  public String toString() {
    return file.getPath();
  }
}
