// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

import io.temptier.tier.os.FileStamp;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A jar that helpers need, or a folder of classes, as this process runs it. The jar is held open:
 * the upgrade of a package deletes it while the NodeManager runs on, and one of a newer version may
 * take its name. Helpers then get a copy, whose bytes are those that this process opened.
 */
final class HelperJar {
  private final Path path;
  private final Optional<FileStamp> stamp;
  private final @Nullable FileChannel bytes;

  private HelperJar(Path path, Optional<FileStamp> stamp, @Nullable FileChannel bytes) {
    this.path = path;
    this.stamp = stamp;
    this.bytes = bytes;
  }

  /**
   * Opens it for as long as this process runs.
   *
   * @param path without links, which may later lead to another version
   */
  static HelperJar open(Path path) throws IOException {
    return Files.isDirectory(path)
        ? new HelperJar(path, Optional.empty(), null)
        : new HelperJar(
            path, Optional.of(FileStamp.of(path)), FileChannel.open(path, StandardOpenOption.READ));
  }

  /**
   * Where helpers find it.
   *
   * @param copies a folder for a copy, should it be needed, which only this process writes to
   */
  Path forHelpers(Path copies) throws IOException {
    FileChannel opened = bytes;
    if (opened == null || isThere()) {
      return path;
    }
    // Jars of two folders may share a name.
    Path copy = copies.resolve(Integer.toHexString(path.hashCode()) + "-" + path.getFileName());
    if (!Files.exists(copy)) {
      copy(opened, copy);
    }
    return copy;
  }

  private boolean isThere() throws IOException {
    return stamp.map(FileStamp::key).equals(FileStamp.find(path).map(FileStamp::key));
  }

  /** Whole or not at all. Helpers are started by several threads. */
  private static void copy(FileChannel from, Path to) throws IOException {
    Path part = Files.createTempFile(to.getParent(), "jar", ".part");
    try {
      try (FileChannel copy = FileChannel.open(part, StandardOpenOption.WRITE)) {
        for (long at = 0; at < from.size(); ) {
          at += from.transferTo(at, from.size() - at, copy);
        }
      }
      Launch.makeReadable(part);
      Files.move(part, to, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
  }
}
