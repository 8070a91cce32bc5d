// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import io.temptier.tier.lang.Immutable;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The names in a folder of claims: {@link Claims#MAX_ENTRIES} at most, and read again only when the
 * folder's stamp says that something was made or deleted since. Dirs that share a device read each
 * other's folders, most of them empty, for every file placed. What begins with {@link #ASIDE} is no
 * ledger, and costs no more than its name.
 *
 * <p>Not safe for use by several threads.
 */
final class FolderList {
  /** Prefix of names given to what the NodeManager may not delete. */
  static final String ASIDE = ".";

  /** More names than this, those aside included, are too many. */
  private static final int MOST_NAMES = 4 * Claims.MAX_ENTRIES;

  /**
   * File systems stamp changes with a clock that ticks every few milliseconds; a list is complete
   * for its folder's stamp only when that much time and more lay between the two.
   */
  private static final long STAMP_MILLIS = 30;

  /** A folder that was too much to read is looked at again after so many times what that took. */
  private static final int REST_FACTOR = 20;

  private static final long SHORTEST_REST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_REST_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final Logger LOG = LoggerFactory.getLogger(FolderList.class);

  private final Path folder;
  private final File file;
  private List<String> listed = Immutable.listOf();
  private long listedStamp;
  private boolean complete;
  private boolean crowded;
  private boolean closed;
  private long restUntilNanos = System.nanoTime();

  /** The names in {@code folder}, which need not exist. */
  FolderList(Path folder) {
    this.folder = folder;
    this.file = folder.toFile();
  }

  /** True if the folder has too many entries to be read, and is left alone for a while. */
  boolean crowded() {
    return crowded;
  }

  /** The names as they are now; none when there is no such folder, or it is {@link #crowded}. */
  List<String> names() {
    long beganNanos = System.nanoTime();
    if (beganNanos - restUntilNanos < 0) {
      return Immutable.listOf();
    }
    long stamp = file.lastModified();
    if (stamp != 0 && stamp == listedStamp && complete) {
      return listed;
    }
    // Compared with the file system's stamps, so this is the machine's clock even in tests.
    long now = System.currentTimeMillis();
    closed = false;
    List<String> names = some();
    if (names.size() > Claims.MAX_ENTRIES) {
      rest(System.nanoTime() - beganNanos);
      return listed;
    }
    crowded = closed;
    listed = names;
    listedStamp = stamp;
    complete = !crowded && settled(stamp, now);
    return listed;
  }

  /** True if nothing can be made any more that leaves the folder with the same stamp. */
  static boolean settled(long stampMillis, long nowMillis) {
    // Java 8 and some file systems tell whole seconds.
    long tick = stampMillis % 1000 == 0 ? 1000 : 0;
    return nowMillis - stampMillis >= tick + STAMP_MILLIS;
  }

  /** Leaves the folder alone for a while, in proportion to what listing it took. */
  private void rest(long tookNanos) {
    if (!crowded) {
      LOG.warn(
          "{} has more entries than are read, so that nobody can tell what is claimed; its dir"
              + " takes no files until they are gone. Whose they are, ls -l tells; all that is not"
              + " of a running job can be deleted.",
          folder);
    }
    crowded = true;
    complete = false;
    listed = Immutable.listOf();
    long rest = Math.max(SHORTEST_REST_NANOS, REST_FACTOR * tookNanos);
    restUntilNanos = System.nanoTime() + Math.min(rest, LONGEST_REST_NANOS);
  }

  /**
   * Lists some names; {@link #MOST_NAMES} empty ones when there are too many of any kind. {@code
   * File.list} would not tell what failed.
   */
  private List<String> some() {
    List<String> names = new ArrayList<>();
    int all = 0;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        String name = String.valueOf(entry.getFileName());
        if (++all > MOST_NAMES) {
          return Collections.nCopies(MOST_NAMES, "");
        }
        if (!name.startsWith(ASIDE)) {
          names.add(name);
        }
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      LOG.debug("No {}", folder, e);
    } catch (IOException | DirectoryIteratorException e) {
      // This process may have too many files open: then it knows nothing of others' claims.
      LOG.debug("Cannot list {}", folder, e);
      closed = true;
    }
    return names;
  }
}
