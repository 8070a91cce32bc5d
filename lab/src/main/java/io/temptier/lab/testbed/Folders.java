// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Deletes and measures folder trees that others write to at the same time. */
public final class Folders {
  private static final int MOST_TRIES = 50;

  private Folders() {}

  /** Deletes {@code root} and all below it, without following symbolic links. */
  public static void delete(Path root) throws IOException {
    for (int tries = 1; Files.exists(root); tries++) {
      try {
        visit(root, (file, attributes) -> Files.deleteIfExists(file), Files::deleteIfExists);
      } catch (DirectoryNotEmptyException e) {
        if (tries == MOST_TRIES) {
          throw e;
        }
        // Somebody who is about to end wrote into it after it was listed.
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
      }
    }
  }

  /**
   * Bytes of all files in a local dir, but for TempTier's own folder: a claim is as long as what
   * its file has by now, and holds nothing. Links count nothing; files may come and go meanwhile.
   */
  public static long bytesOf(Path localDir) throws IOException {
    Path own = localDir.resolve(NodeMarker.DIR);
    LongAdder bytes = new LongAdder();
    walk(
        localDir,
        (file, attributes) ->
            bytes.add(attributes.isRegularFile() && !file.startsWith(own) ? attributes.size() : 0));
    return bytes.sum();
  }

  /** Returns the wanted paths of a folder and below it, but for those that go meanwhile. */
  public static List<Path> find(Path dir, Predicate<Path> wanted) {
    List<Path> all = new ArrayList<>();
    try {
      visit(dir, (file, attributes) -> all.add(file), all::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all.stream().filter(wanted).toList();
  }

  /** Shows all files and links below a folder, but for those that are deleted meanwhile. */
  public static void walk(Path dir, BiConsumer<Path, BasicFileAttributes> seen) throws IOException {
    visit(dir, seen::accept, folder -> {});
  }

  private interface Seen {
    void file(Path file, BasicFileAttributes attributes) throws IOException;
  }

  private interface Left {
    void folder(Path folder) throws IOException;
  }

  private static void visit(Path dir, Seen seen, Left left) throws IOException {
    Files.walkFileTree(
        dir,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            seen.file(file, attributes);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (file.equals(dir) && !(e instanceof NoSuchFileException)) {
              throw e;
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
              throws IOException {
            left.folder(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
