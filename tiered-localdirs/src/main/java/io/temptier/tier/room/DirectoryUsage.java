// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import com.google.auto.value.AutoValue;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.os.UserFile;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.LongSupplier;

/**
 * Adds up the bytes under a dir, for caps, which no file system call answers. Users own what lies
 * there: no link is followed, and whatever is put in a folder's place while it is opened neither
 * stops the walk nor leads it elsewhere.
 */
public final class DirectoryUsage {
  /** A folder is open for each level. What lies deeper counts as not listed. */
  private static final int DEEPEST = 64;

  @AutoValue
  public abstract static class Usage {

    public static final Usage UNKNOWN = Usage.of(-1, 0, 0);

    /** Lengths of the regular files below the dir, links not followed; -1 when not measured. */
    public abstract long bytes();

    /** Start of the walk, wall clock: it saw every byte written before. */
    public abstract long startedMillis();

    /** Folders that this process may not list: what lies there is not in {@code bytes}. */
    public abstract long foldersNotListed();

    public static Usage of(long bytes, long startedMillis, long foldersNotListed) {
      return new AutoValue_DirectoryUsage_Usage(bytes, startedMillis, foldersNotListed);
    }

    public boolean known() {
      return bytes() >= 0;
    }

    public boolean complete() {
      return known() && foldersNotListed() == 0;
    }
  }

  private long bytes;
  private long foldersNotListed;

  private DirectoryUsage() {}

  /**
   * Walks {@code dir}, leaving out TempTier's own folder. What vanishes during the walk counts
   * nothing; folders that may not be listed, under the Linux container executor those of mode 0710,
   * are counted as such.
   */
  public static Usage measure(Path dir, LongSupplier clockMillis) {
    long started = clockMillis.getAsLong();
    DirectoryUsage usage = new DirectoryUsage();
    try (DirectoryStream<Path> top = Files.newDirectoryStream(dir)) {
      usage.walk(UserFile.secure(top), 0);
    } catch (NoSuchFileException e) {
      // Nothing lies there.
    } catch (IOException | DirectoryIteratorException e) {
      usage.foldersNotListed++;
    }
    return Usage.of(usage.bytes, started, usage.foldersNotListed);
  }

  private void walk(SecureDirectoryStream<Path> folder, int depth) {
    for (Path entry : folder) {
      Path name = entry.getFileName();
      try {
        BasicFileAttributes seen = UserFile.look(folder, name);
        if (seen.isRegularFile()) {
          // A file with holes may be longer than any disk, and two of them than a number.
          bytes = Sizes.sum(bytes, seen.size());
        } else if (seen.isDirectory() && depth == DEEPEST) {
          foldersNotListed++;
        } else if (seen.isDirectory() && !(depth == 0 && name.endsWith(NodeMarker.DIR))) {
          try (SecureDirectoryStream<Path> below =
              UserFile.openFolder(folder, name, seen.fileKey())) {
            walk(below, depth + 1);
          }
        }
      } catch (NoSuchFileException | NotDirectoryException e) {
        // It vanished, or became something else.
      } catch (IOException | DirectoryIteratorException e) {
        foldersNotListed++;
      }
    }
  }
}
