// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node.history;

import io.temptier.tier.LocalDir;
import io.temptier.tier.journal.JournalTail;
import io.temptier.tier.journal.PlacementJournal;
import io.temptier.tier.journal.PlacementRecord;
import io.temptier.tier.os.UserFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journals of one user's applications below one local dir, each read on from where the last
 * round ended. A round may take forever, so it runs on a thread to spare; the next begins when it
 * has ended.
 */
final class UserJournals {
  /** Journals open at most, which a user may make in any number; others wait until these end. */
  static final int MOST_OPEN = 128;

  private static final Logger LOG = LoggerFactory.getLogger(UserJournals.class);

  /** A file that is longer than any journal is not read to its end, which may be nowhere. */
  private static final long MOST_BYTES = 2 * PlacementJournal.APPLICATION_MAX_BYTES;

  private static final long MOST_BYTES_PER_FILE = 1 << 20;
  private static final long MOST_BYTES_PER_ROUND = 4 << 20;

  private final Path localDir;
  private final String user;
  private final BiConsumer<PlacementRecord, String> records;
  private final LongConsumer ignored;
  private final Map<String, JournalTail> open = new HashMap<>();
  private volatile boolean closed;

  /**
   * The journals below {@code localDir}.
   *
   * @param records is given each record and the application whose journal it is from
   * @param ignored is given how many lines made no sense
   */
  UserJournals(
      Path localDir,
      String user,
      BiConsumer<PlacementRecord, String> records,
      LongConsumer ignored) {
    this.localDir = localDir;
    this.user = user;
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
   * @return whether nothing is open any more
   */
  boolean read(Set<String> running) {
    running.forEach(this::open);
    long left = MOST_BYTES_PER_ROUND;
    Iterator<Map.Entry<String, JournalTail>> all = open.entrySet().iterator();
    while (!closed && all.hasNext()) {
      Map.Entry<String, JournalTail> entry = all.next();
      JournalTail journal = entry.getValue();
      long most = Math.min(left, Math.min(MOST_BYTES_PER_FILE, MOST_BYTES - journal.offset()));
      long read = most > 0 ? poll(journal, entry.getKey(), most) : 0;
      left -= Math.max(0, read);
      boolean atEnd = read < most || journal.offset() >= MOST_BYTES;
      // Lines may yet come to a journal that was deleted, while its application runs.
      if (read < 0 || (atEnd && !running.contains(entry.getKey()))) {
        close(journal);
        all.remove();
      }
    }
    return !closed && open.isEmpty();
  }

  private void open(String application) {
    Path relative =
        LocalDir.application(user, application).resolve(PlacementJournal.APPLICATION_FILE);
    // Follows links, but is much cheaper than a failure to open; most dirs have no journal.
    if (open.containsKey(application)
        || open.size() >= MOST_OPEN
        || !localDir.resolve(relative).toFile().exists()) {
      return;
    }
    try {
      open.put(application, new JournalTail(UserFile.openRegularHere(localDir, relative)));
    } catch (IOException e) {
      LOG.debug("Cannot read {} below {}", relative, localDir, e);
    }
  }

  /** Bytes read, or -1 when the file cannot be read any more. */
  private long poll(JournalTail journal, String application, long most) {
    long before = journal.ignored();
    try {
      return journal.poll(most, record -> records.accept(record, application));
    } catch (IOException e) {
      LOG.debug("Cannot read the journal of {}", application, e);
      return -1;
    } finally {
      ignored.accept(journal.ignored() - before);
    }
  }

  /** Has a round that is under way read no further journal. Never waits. */
  void stop() {
    closed = true;
  }

  /** Closes all journals; not while a round is under way. */
  boolean close() {
    open.values().forEach(this::close);
    open.clear();
    return true;
  }

  private void close(JournalTail journal) {
    try {
      journal.close();
    } catch (IOException e) {
      LOG.debug("Closing a journal below {} failed", localDir, e);
    }
  }
}
