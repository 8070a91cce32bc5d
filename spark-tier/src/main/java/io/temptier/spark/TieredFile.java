// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of Spark's, or the link to where it lies. Deleting it deletes both. Renaming it, as Spark
 * does when it is complete, leaves the bytes where they are.
 */
final class TieredFile extends File {
  private final transient BlockPlaces places;

  TieredFile(String path, BlockPlaces places) {
    super(path);
    this.places = places;
  }

  /** Where its bytes lie: where a link leads, else here. Does no I/O on the disk it leads to. */
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
