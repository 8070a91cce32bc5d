// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.journal;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.lang.Strings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's ended applications: a JSON object on each line, in the private folder of a local dir.
 * Turned over at a bound, so that there are never more than twice {@link #MAX_BYTES}. Lines that no
 * disk takes are kept, so many, and tried again. The last ones are kept to be shown.
 *
 * <p>For one thread, except {@link #recent()}. What reads and writes may take as long as the disk
 * does.
 */
public final class HistoryFile implements AutoCloseable {
  static final String NAME = "history";

  /** Size in bytes at which it is turned over: some ten thousand applications. */
  public static final long MAX_BYTES = 4L << 20;

  private static final int MOST_WAITING = 1000;

  private static final Logger LOG = LoggerFactory.getLogger(HistoryFile.class);

  private final List<Path> folders;
  private final Predicate<Path> usable;
  private final int mostRecent;
  private final JournalFile file;
  private final Deque<String> waiting = new ArrayDeque<>();
  private boolean loaded;
  private boolean failed;

  // Guarded by itself.
  private final Deque<String> recent = new ArrayDeque<>();

  /**
   * A history in the first of the roots' private folders that is usable at the time and takes it.
   *
   * @param mostRecent how many lines are shown
   */
  public HistoryFile(List<Path> folders, Predicate<Path> usable, int mostRecent) {
    this(folders, usable, mostRecent, MAX_BYTES);
  }

  HistoryFile(List<Path> folders, Predicate<Path> usable, int mostRecent, long maxBytes) {
    this.folders = Immutable.copyOf(folders);
    this.usable = usable;
    this.mostRecent = mostRecent;
    this.file = new JournalFile(folders, NAME, maxBytes, true, usable);
  }

  /**
   * Loads what the last NodeManager wrote, to be shown again, oldest first within a folder; what
   * cannot be read is left out.
   */
  public void load() {
    if (loaded) {
      return;
    }
    loaded = true;
    for (Path folder : folders) {
      if (!usable.test(folder)) {
        continue;
      }
      for (Path path : files(folder)) {
        try {
          read(path).forEach(this::remember);
        } catch (IOException e) {
          // What happened before a restart is for people only.
        }
      }
    }
  }

  /** Adds a line, without its newline, which {@link #write} writes. No I/O. */
  public void add(String line) {
    remember(line);
    if (waiting.size() == MOST_WAITING) {
      waiting.removeFirst();
    }
    waiting.addLast(line);
  }

  private void remember(String line) {
    synchronized (recent) {
      if (recent.size() == mostRecent) {
        recent.removeFirst();
      }
      recent.addLast(line);
    }
  }

  /** The last lines, oldest first. Never waits for a disk. */
  public List<String> recent() {
    synchronized (recent) {
      return Immutable.listFrom(recent);
    }
  }

  /** Writes what waits. May take as long as the disk does. */
  public void write(long nowMillis) {
    try {
      for (Iterator<String> lines = waiting.iterator(); lines.hasNext(); ) {
        if (!append(lines.next(), nowMillis)) {
          // It is being turned over.
          return;
        }
        lines.remove();
      }
      failed = false;
    } catch (IOException e) {
      if (!failed) {
        failed = true;
        LOG.warn(
            "The node's history cannot be written down ({}). Up to {} lines are kept in memory and"
                + " tried again; not logged again until it works.",
            e.toString(),
            MOST_WAITING);
      }
    }
  }

  /** Appends a line, without its newline; false when it must be tried again in a second. */
  boolean append(String line, long nowMillis) throws IOException {
    return file.append((line + '\n').getBytes(StandardCharsets.UTF_8), nowMillis);
  }

  /** The files in a root's private folder that a history may lie in, oldest first. */
  public static List<Path> files(Path folder) {
    return Immutable.listOf(
        folder.resolve(NAME + PlacementJournal.OLD_SUFFIX), folder.resolve(NAME));
  }

  /**
   * The whole lines of a file, without those that are torn or no object; none when there is no such
   * file.
   *
   * @throws IOException when it cannot be read or is no file
   */
  public static List<String> read(Path path) throws IOException {
    if (!Files.exists(path, NOFOLLOW_LINKS)) {
      return Immutable.listOf();
    }
    if (!Files.isRegularFile(path, NOFOLLOW_LINKS)) {
      throw new IOException(path + " is not a regular file");
    }
    return Strings.lines(new String(Files.readAllBytes(path), StandardCharsets.UTF_8))
        .filter(line -> line.startsWith("{") && line.endsWith("}"))
        .collect(Immutable.toList());
  }

  @Override
  public void close() {
    file.close();
  }
}
