// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file of Spark's, or the link to where it lies. Deleting it deletes both. Renaming it, as Spark
 * does when it is complete, leaves the bytes where they are.
 */
final class TieredFile extends File {
  private final transient BlockPlaces places;
  private final transient @Nullable Path placed;

  /** {@code placed}: where the bytes will lie of a file that is about to be written. */
  TieredFile(String path, BlockPlaces places, @Nullable Path placed) {
    super(path);
    this.places = places;
    this.placed = placed;
  }

  /** Returns where its bytes lie, or will. Looks at no disk for a file that was placed just now. */
  Path bytes() {
    return placed == null ? bytesOf(toPath()) : placed;
  }

  /** Returns where a link leads, or the file itself. No I/O on the disk it leads to. */
  static Path bytesOf(Path file) {
    try {
      return Files.isSymbolicLink(file) ? Files.readSymbolicLink(file) : file;
    } catch (IOException | UnsupportedOperationException e) {
      // Gone meanwhile.
      return file;
    }
  }

  @Override
  public boolean delete() {
    return places.delete(toPath(), super::delete);
  }

  @Override
  public boolean renameTo(File to) {
    // Before it has another name: its length is counted.
    places.settle(bytesOf(toPath()));
    return super.renameTo(to);
  }
}
