// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node.history;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.temptier.tier.LocalDir;
import io.temptier.tier.journal.JournalTail;
import io.temptier.tier.journal.PlacementJournal;
import io.temptier.tier.journal.PlacementRecord;
import io.temptier.tier.os.UserFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journals of one user's applications below one local dir, each read on from where the last
 * round ended. A round may take forever, so it runs on a thread to spare; the next begins when it
 * has ended. {@link #close} may be called at any time and never waits.
 */
final class UserJournals implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(UserJournals.class);

  /** A file that is longer than any journal is not read to its end, which may be nowhere. */
  private static final long MOST_BYTES = 2 * PlacementJournal.APPLICATION_MAX_BYTES;

  private static final long MAX_BYTES_PER_FILE = 1 << 20;

  /** An open journal. {@code key} tells whether the file at the path is still the same. */
  private static final class Open {
    final JournalTail tail;
    final @Nullable Object key;
    long bytes;

    Open(JournalTail tail, @Nullable Object key) {
      this.tail = tail;
      this.key = key;
    }
  }

  private final Path localDir;
  private final String user;
  private final AtomicInteger openFiles;
  private final BiConsumer<PlacementRecord, String> records;
  private final LongConsumer ignored;
  private final Map<String, Open> open = new HashMap<>();
  private final AtomicBoolean busy = new AtomicBoolean();
  private volatile boolean closed;

  /**
   * The journals below {@code localDir}.
   *
   * @param openFiles how many are open of this user, below whichever dir
   * @param records is given each record and the application whose journal it is from
   * @param ignored is given how many lines made no sense
   */
  UserJournals(
      Path localDir,
      String user,
      AtomicInteger openFiles,
      BiConsumer<PlacementRecord, String> records,
      LongConsumer ignored) {
    this.localDir = localDir;
    this.user = user;
    this.openFiles = openFiles;
    this.records = records;
    this.ignored = ignored;
  }

  String user() {
    return user;
  }

  /**
   * Reads what is new.
   *
   * @param running applications of this user
   * @param mostOpen files open at a time, below all local dirs together
   * @param mostBytes read now
   * @return whether nothing is open any more
   */
  boolean read(Set<String> running, int mostOpen, long mostBytes) {
    if (!busy.compareAndSet(false, true)) {
      return false;
    }
    try {
      if (!closed) {
        running.forEach(application -> open(application, mostOpen));
        poll(running, mostBytes);
      }
      return open.isEmpty();
    } finally {
      busy.set(false);
      closeIfIdle();
    }
  }

  private void closeIfIdle() {
    if (closed && busy.compareAndSet(false, true)) {
      open.values().forEach(this::close);
      open.clear();
      busy.set(false);
    }
  }

  private Path journal(String application) {
    return LocalDir.application(user, application).resolve(PlacementJournal.APPLICATION_FILE);
  }

  private void open(String application, int mostOpen) {
    Path relative = journal(application);
    // Follows links, but is much cheaper than a failure to open; most dirs have no journal.
    if (open.containsKey(application)
        || openFiles.get() >= mostOpen
        || !localDir.resolve(relative).toFile().exists()) {
      return;
    }
    try {
      JournalTail tail = new JournalTail(UserFile.openRegularHere(localDir, relative));
      openFiles.incrementAndGet();
      open.put(application, new Open(tail, keyNow(application)));
    } catch (IOException e) {
      LOG.debug("Cannot read {} below {}", relative, localDir, e);
    }
  }

  private void poll(Set<String> running, long bytes) {
    long left = bytes;
    for (Iterator<Map.Entry<String, Open>> all = open.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<String, Open> entry = all.next();
      String application = entry.getKey();
      Open journal = entry.getValue();
      long most = Math.min(left, Math.min(MAX_BYTES_PER_FILE, MOST_BYTES - journal.bytes));
      long read = most > 0 ? poll(journal, application, most) : 0;
      left -= Math.max(0, read);
      journal.bytes += Math.max(0, read);
      boolean over = !running.contains(application);
      boolean replaced = !over && replaced(journal, keyNow(application));
      boolean atEnd = read < most || journal.bytes >= MOST_BYTES;
      if (read < 0 || (atEnd && (over || replaced))) {
        close(journal);
        all.remove();
      }
    }
  }

  /** Bytes read, or -1 when the file cannot be read any more. */
  private long poll(Open journal, String application, long most) {
    long before = journal.tail.ignored();
    try {
      return journal.tail.poll(most, record -> records.accept(record, application));
    } catch (IOException e) {
      LOG.debug("Cannot read the journal of {}", application, e);
      return -1;
    } finally {
      ignored.accept(journal.tail.ignored() - before);
    }
  }

  /** Lines may yet come to a journal that was deleted. */
  private static boolean replaced(Open journal, @Nullable Object now) {
    return now != null && !Objects.equals(journal.key, now);
  }

  /** The key of the file at the path now; null when there is none. */
  private @Nullable Object keyNow(String application) {
    try {
      return Files.readAttributes(
              localDir.resolve(journal(application)), BasicFileAttributes.class, NOFOLLOW_LINKS)
          .fileKey();
    } catch (IOException e) {
      return null;
    }
  }

  private void close(Open journal) {
    openFiles.decrementAndGet();
    try {
      journal.tail.close();
    } catch (IOException e) {
      LOG.debug("Closing a journal below {} failed", localDir, e);
    }
  }

  @Override
  public void close() {
    closed = true;
    closeIfIdle();
  }
}
