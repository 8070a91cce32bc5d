/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.hadoop;

import java.io.File;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * The paths of one file that exist in some dirs, found one ahead of the caller. Not safe for use by
 * several threads.
 */
final class ExistingPaths implements Iterator<Path> {
  private final String path;
  private final Iterator<Path> dirs;
  private @Nullable Path next;

  ExistingPaths(String path, List<Path> dirs) {
    this.path = path;
    this.dirs = dirs.iterator();
    this.next = advance();
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
    return next != null;
  }

  @Override
  public Path next() {
    Path found = next;
    if (found == null) {
      throw new NoSuchElementException();
    }
    next = advance();
    return found;
  }

  @Override
  public void remove() {
    throw new UnsupportedOperationException("read only iterator");
  }
}
