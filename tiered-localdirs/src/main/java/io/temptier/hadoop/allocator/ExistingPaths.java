// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import java.io.File;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * The paths of one file that exist in some dirs. A dir is looked at when the caller asks for more,
 * and no sooner: it may hang. Not safe for use by several threads.
 */
final class ExistingPaths implements Iterator<Path> {
  private final String path;
  private final Iterator<Path> dirs;
  private @Nullable Path next;

  ExistingPaths(String path, List<Path> dirs) {
    this.path = path;
    this.dirs = dirs.iterator();
  }

  private @Nullable Path advance() {
    while (dirs.hasNext()) {
      Path file = new Path(dirs.next(), path);
      if (new File(file.toUri().getPath()).exists()) {
        return file;
      }
    }
    return null;
  }

  @Override
  public boolean hasNext() {
    if (next == null) {
      next = advance();
    }
    return next != null;
  }

  @Override
  public Path next() {
    Path found = hasNext() ? next : null;
    if (found == null) {
      throw new NoSuchElementException();
    }
    next = null;
    return found;
  }

  @Override
  public void remove() {
    throw new UnsupportedOperationException("read only iterator");
  }
}
