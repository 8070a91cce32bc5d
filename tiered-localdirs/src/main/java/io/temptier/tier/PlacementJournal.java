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

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down every placement of this process, one {@link PlacementRecord} a line, so that {@code
 * explain} and the NodeManager's metrics know what tasks did.
 *
 * <p>Tasks of one application append to one file in the first of their local dirs that takes it;
 * the file goes when the application's dir is deleted. The NodeManager keeps a file of its own and
 * turns it over at a bound. The file is mode 0640: its group is the NodeManager's through the
 * set-group-id bit of the application's dir.
 *
 * <p>A journal is a witness, never a party: whatever fails here is logged once, counted in {@link
 * #dropped()}, tried again after a while with the next dir, and not seen by the writer of a file.
 * Safe for use by many threads.
 */
public final class PlacementJournal implements PlacementListener, Closeable {
  /** File name of an application's journal, in one of its local dirs. */
  public static final String APPLICATION_FILE = ".temptier-placements";

  /** File name of the NodeManager's own journal, in the private folder of a root. */
  public static final String NODE_FILE = "placements";

  /** What is appended to the name of a journal that was turned over. */
  public static final String OLD_SUFFIX = ".old";

  /** The NodeManager's journal is turned over at this size, in bytes. */
  public static final long NODE_MAX_BYTES = 4L << 20;

  /** An application's journal grows no further than this, in bytes, on one node. */
  public static final long APPLICATION_MAX_BYTES = 64L << 20;

  private static final Logger LOG = LoggerFactory.getLogger(PlacementJournal.class);

  private static final Set<PosixFilePermission> MODE = PosixFilePermissions.fromString("rw-r-----");

  /** After a failure, lines are dropped for so long before the dirs are tried again. */
  private static final long RETRY_MILLIS = 30_000;

  /** How often to look whether the file is still the one at its path, and how large it is. */
  private static final long CHECK_MILLIS = 1_000;

  private static final int CHECK_LINES = 256;

  private final List<Path> dirs;
  private final String name;
  private final long maxBytes;
  private final boolean turnsOver;
  private final Clock clock;
  private final long pid = ProcessHandle.current().pid();
  private final AtomicLong dropped = new AtomicLong();

  private @Nullable FileChannel channel;
  private @Nullable Path file;

  /** Where to begin looking for a dir that takes the file: behind the last that failed. */
  private int firstDir;

  private @Nullable Object fileKey;
  private boolean closed;
  private boolean tornLine;
  private boolean failureLogged;
  private long bytesAtCheck;
  private int linesSinceCheck;
  private long nextCheckMillis;
  private long nextTryMillis;

  PlacementJournal(List<Path> dirs, String name, long maxBytes, boolean turnsOver, Clock clock) {
    this.dirs = List.copyOf(dirs);
    this.name = name;
    this.maxBytes = maxBytes;
    this.turnsOver = turnsOver;
    this.clock = clock;
  }

  /**
   * The journal of a task.
   *
   * @param localDirs the application's local dirs, in the order to try them
   */
  public static PlacementJournal ofApplication(List<Path> localDirs) {
    return new PlacementJournal(
        localDirs, APPLICATION_FILE, APPLICATION_MAX_BYTES, false, Clock.systemUTC());
  }

  /**
   * The journal of the NodeManager itself.
   *
   * @param privateDirs the private folder of each root, in the order to try them
   */
  public static PlacementJournal ofNode(List<Path> privateDirs) {
    return new PlacementJournal(privateDirs, NODE_FILE, NODE_MAX_BYTES, true, Clock.systemUTC());
  }

  @Override
  public void placed(PlacementRequest request, Placement placement) {
    write(PlacementRecord.Event.PLACED, request, placement, request.bytes());
  }

  @Override
  public void settled(PlacementRequest request, Placement placement, long bytes) {
    write(PlacementRecord.Event.SETTLED, request, placement, bytes);
  }

  /** Lines that could not be written so far. */
  public long dropped() {
    return dropped.get();
  }

  /** Where lines go at the moment, or empty before the first line and after a failure. */
  public synchronized Optional<Path> file() {
    return Optional.ofNullable(file);
  }

  /** Stops writing. Later events are ignored. */
  @Override
  public synchronized void close() {
    closed = true;
    closeChannel();
  }

  private void write(
      PlacementRecord.Event event, PlacementRequest request, Placement placement, long bytes) {
    try {
      long now = clock.millis();
      byte @Nullable [] line =
          PlacementRecord.of(now, pid, event, request, placement, bytes).toLine().orElse(null);
      if (line == null || !append(line, now)) {
        dropped.incrementAndGet();
      }
    } catch (RuntimeException e) {
      dropped.incrementAndGet();
      logOnce("an unexpected error", e);
    }
  }

  /** Appends a line; false when it was dropped. */
  private synchronized boolean append(byte[] line, long now) {
    if (closed || now < nextTryMillis) {
      return false;
    }
    // An interrupt closes a channel that is in use, so it waits until the line is written.
    boolean interrupted = Thread.interrupted();
    try {
      for (int attempt = 0; ; attempt++) {
        try {
          return writeOnce(line, now);
        } catch (ClosedChannelException e) {
          interrupted |= Thread.interrupted();
          closeChannel();
          if (attempt > 0) {
            return false;
          }
        } catch (IOException e) {
          logOnce(file == null ? "none of " + dirs + " takes it" : file + " failed", e);
          firstDir = file == null ? 0 : dirs.indexOf(file.getParent()) + 1;
          closeChannel();
          nextTryMillis = now + RETRY_MILLIS;
          return false;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private boolean writeOnce(byte[] line, long now) throws IOException {
    FileChannel out = openChannel(now);
    if (bytesAtCheck >= maxBytes) {
      return false;
    }
    ByteBuffer buffer = ByteBuffer.wrap(line);
    if (tornLine) {
      buffer = ByteBuffer.allocate(line.length + 1).put((byte) '\n').put(line).flip();
    }
    // A second write call for the rest of a line could land behind another process's line.
    tornLine = out.write(buffer) > 0 && buffer.hasRemaining();
    if (tornLine) {
      throw new IOException("the line was written in part, the disk may be full");
    }
    linesSinceCheck++;
    return true;
  }

  private FileChannel openChannel(long now) throws IOException {
    FileChannel open = channel;
    if (open != null && (linesSinceCheck >= CHECK_LINES || now >= nextCheckMillis)) {
      linesSinceCheck = 0;
      nextCheckMillis = now + CHECK_MILLIS;
      bytesAtCheck = open.size();
      if (!stillThere()) {
        closeChannel();
        open = null;
      } else if (turnsOver && bytesAtCheck >= maxBytes && file != null) {
        Path old = file.resolveSibling(name + OLD_SUFFIX);
        Files.move(file, old, StandardCopyOption.ATOMIC_MOVE);
        closeChannel();
        open = null;
      }
    }
    return open != null ? open : openFirst(now);
  }

  private boolean stillThere() {
    try {
      return file != null && fileKey != null && fileKey.equals(attributes(file).fileKey());
    } catch (IOException e) {
      return false;
    }
  }

  private FileChannel openFirst(long now) throws IOException {
    IOException failure = new NoSuchFileException("no dirs");
    for (int i = 0; i < dirs.size(); i++) {
      Path candidate = dirs.get((firstDir + i) % dirs.size()).resolve(name);
      try {
        FileChannel opened = openFile(candidate);
        channel = opened;
        file = candidate;
        fileKey = attributes(candidate).fileKey();
        bytesAtCheck = opened.size();
        linesSinceCheck = 0;
        nextCheckMillis = now + CHECK_MILLIS;
        return opened;
      } catch (IOException e) {
        closeChannel();
        failure = e;
      }
    }
    throw failure;
  }

  private static FileChannel openFile(Path candidate) throws IOException {
    try {
      FileChannel created =
          FileChannel.open(
              candidate,
              Set.of(
                  StandardOpenOption.CREATE_NEW,
                  StandardOpenOption.WRITE,
                  StandardOpenOption.APPEND,
                  NOFOLLOW_LINKS),
              PosixFilePermissions.asFileAttribute(MODE));
      // The umask of a task may have taken the group's right to read.
      Files.getFileAttributeView(candidate, PosixFileAttributeView.class, NOFOLLOW_LINKS)
          .setPermissions(MODE);
      return created;
    } catch (FileAlreadyExistsException e) {
      // A named pipe in its place would block the open.
      if (!attributes(candidate).isRegularFile()) {
        throw new IOException(candidate + " is not a regular file", e);
      }
      return FileChannel.open(
          candidate, Set.of(StandardOpenOption.WRITE, StandardOpenOption.APPEND, NOFOLLOW_LINKS));
    }
  }

  private static BasicFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, NOFOLLOW_LINKS);
  }

  private void closeChannel() {
    FileChannel open = channel;
    channel = null;
    file = null;
    fileKey = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        LOG.debug("Closing a placement journal failed", e);
      }
    }
  }

  private void logOnce(String what, Exception e) {
    if (!failureLogged) {
      failureLogged = true;
      LOG.warn(
          "Placements are not being written down: {} ({}). Files are placed as before; 'explain'"
              + " and the NodeManager's counters will miss some. Tried again every {} s, not logged"
              + " again.",
          what,
          e.toString(),
          RETRY_MILLIS / 1000);
    }
  }
}
