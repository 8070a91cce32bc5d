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
package io.temptier.tier;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.LongSupplier;

/** Adds up the bytes under a dir, for caps and shares, which no file system call answers. */
public final class DirectoryUsage {
  /**
   * One walk.
   *
   * @param bytes lengths of the regular files below the dir, links not followed; -1 when not
   *     measured
   * @param startedMillis when the walk began, wall clock: it saw every byte written before
   */
  public record Usage(long bytes, long startedMillis) {
    /** Not measured. */
    public static final Usage UNKNOWN = new Usage(-1, 0);

    /** Whether it was measured. */
    public boolean known() {
      return bytes >= 0;
    }
  }

  private DirectoryUsage() {}

  /**
   * Walks {@code dir}, leaving out TempTier's own folder. What vanishes or may not be read during
   * the walk counts nothing.
   */
  public static Usage measure(Path dir, LongSupplier clockMillis) {
    long started = clockMillis.getAsLong();
    long[] bytes = {0};
    try {
      Files.walkFileTree(
          dir,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
              boolean own = dir.equals(folder.getParent()) && folder.endsWith(NodeMarker.DIR);
              return own ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              bytes[0] += attributes.isRegularFile() ? attributes.size() : 0;
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(
                Path folder, java.io.@org.jspecify.annotations.Nullable IOException e) {
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      return new Usage(bytes[0], started);
    }
    return new Usage(bytes[0], started);
  }
}
