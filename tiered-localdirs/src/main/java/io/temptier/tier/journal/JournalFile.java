// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.journal;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.FileStamp;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of a {@link PlacementJournal}, in the first of its dirs that takes it. Every call may
 * take as long as the disk does. For one thread, except {@link #path()}.
 */
final class JournalFile implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(JournalFile.class);

  private static final Set<PosixFilePermission> MODE = PosixFilePermissions.fromString("rw-r-----");

  /** Period of checking that the file is still the one at its path, and how large it is. */
  private static final long CHECK_MILLIS = 1_000;

  private static final int CHECK_LINES = 256;

  private final List<Path> dirs;
  private final String name;
  private final long maxBytes;
  private final boolean turnsOver;
  private final Predicate<Path> usable;

  private @Nullable FileChannel channel;
  private volatile @Nullable Path file;

  /** Index of the first dir to try: behind the last that failed. */
  private int firstDir;

  private @Nullable Object fileKey;
  private boolean tornLine;
  private long bytesAtCheck;
  private int linesSinceCheck;
  private long nextCheckMillis;

  /**
   * A file that is made at the first line, in the first dir that is usable then and takes it. At
   * {@code maxBytes} it grows no further, or turns over: it is put away and begun anew.
   */
  JournalFile(
      List<Path> dirs, String name, long maxBytes, boolean turnsOver, Predicate<Path> usable) {
    this.usable = usable;
    this.dirs = Immutable.copyOf(dirs);
    this.name = name;
    this.maxBytes = maxBytes;
    this.turnsOver = turnsOver;
  }

  Optional<Path> path() {
    return Optional.ofNullable(file);
  }

  /**
   * Appends a line, whole or not at all as far as readers are concerned.
   *
   * @return false when the file is full
   * @throws IOException when no dir took it; the next line is tried elsewhere
   */
  boolean append(byte[] line, long nowMillis) throws IOException {
    try {
      FileChannel out = openChannel(nowMillis);
      if (bytesAtCheck >= maxBytes) {
        return false;
      }
      ByteBuffer buffer = ByteBuffer.wrap(line);
      if (tornLine) {
        buffer = ByteBuffer.allocate(line.length + 1).put((byte) '\n').put(line);
        buffer.flip();
      }
      // A second write call for the rest of a line could land behind another process's line.
      tornLine = out.write(buffer) > 0 && buffer.hasRemaining();
      if (tornLine) {
        throw new IOException("the line was written in part, the disk may be full");
      }
      linesSinceCheck++;
      return true;
    } catch (IOException e) {
      Path failed = file;
      firstDir = failed == null ? 0 : dirs.indexOf(failed.getParent()) + 1;
      close();
      throw new IOException(
          (failed == null ? "none of " + dirs + " takes it" : failed + " failed") + ": " + e, e);
    }
  }

  private FileChannel openChannel(long now) throws IOException {
    FileChannel open = channel;
    if (open == null) {
      return openFirst(now);
    }
    if (linesSinceCheck < CHECK_LINES && now < nextCheckMillis) {
      return open;
    }
    checked(open, now);
    Path path = Objects.requireNonNull(file);
    if (stillThere(path)) {
      if (!turnsOver || bytesAtCheck < maxBytes) {
        return open;
      }
      Path old = path.resolveSibling(name + PlacementJournal.OLD_SUFFIX);
      Files.move(path, old, StandardCopyOption.ATOMIC_MOVE);
    }
    close();
    return openFirst(now);
  }

  private boolean stillThere(Path path) {
    try {
      return FileStamp.of(path).key().equals(fileKey);
    } catch (IOException e) {
      return false;
    }
  }

  private void checked(FileChannel open, long now) throws IOException {
    bytesAtCheck = open.size();
    linesSinceCheck = 0;
    nextCheckMillis = now + CHECK_MILLIS;
  }

  private FileChannel openFirst(long now) throws IOException {
    IOException failure = new NoSuchFileException("no dirs");
    for (int i = 0; i < dirs.size(); i++) {
      Path dir = dirs.get((firstDir + i) % dirs.size());
      Path candidate = dir.resolve(name);
      if (!usable.test(dir)) {
        continue;
      }
      try {
        FileChannel opened = openFile(candidate);
        channel = opened;
        file = candidate;
        fileKey = FileStamp.of(candidate).key();
        checked(opened, now);
        // Who wrote there before may have been killed in the middle of a line.
        tornLine = bytesAtCheck > 0;
        return opened;
      } catch (IOException e) {
        close();
        failure = e;
      }
    }
    throw failure;
  }

  private static FileChannel openFile(Path candidate) throws IOException {
    try {
      Files.createFile(candidate, PosixFilePermissions.asFileAttribute(MODE));
    } catch (FileAlreadyExistsException e) {
      // A named pipe in its place would block the open.
      if (!FileStamp.of(candidate).regular()) {
        throw new IOException(candidate + " is not a regular file", e);
      }
    }
    PosixFileAttributeView mode =
        Files.getFileAttributeView(candidate, PosixFileAttributeView.class, NOFOLLOW_LINKS);
    if (!mode.readAttributes().permissions().equals(MODE)) {
      // The umask of a task may have taken the group's right to read.
      mode.setPermissions(MODE);
    }
    return FileChannel.open(
        candidate,
        Immutable.setOf(StandardOpenOption.WRITE, StandardOpenOption.APPEND, NOFOLLOW_LINKS));
  }

  @Override
  public void close() {
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
}
