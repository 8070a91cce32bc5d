// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.hadoop.metrics.PlacementTally;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.tier.LocalDir;
import io.temptier.tier.TierLayout;
import io.temptier.tier.journal.JournalTail;
import io.temptier.tier.journal.PlacementJournal;
import io.temptier.tier.journal.PlacementRecord;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.TimedCalls;
import io.temptier.tier.os.UserFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.hadoop.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the journals of the tasks of running applications, which any task may have filled with
 * anything, and counts what they say. What a user does to the journals costs that user's records at
 * most: each user on each disk is read on a thread to spare, with bounds on the open files and on
 * the bytes of a round. Used by one thread at a time.
 */
final class JournalScanner implements AutoCloseable {
  /** Most open journals of a user on a disk; any more of them wait until some of these end. */
  static final int MOST_OPEN = 128;

  private static final Logger LOG = LoggerFactory.getLogger(JournalScanner.class);
  private static final Duration ONCE_LATE = Duration.ofMillis(1);

  /** Name of one file or folder, which leads nowhere else. */
  private static final Pattern NAME = Pattern.compile("(?!\\.{1,2}\\z)[^/\\x00]+");

  /** A petabyte: no temporary file is larger. */
  private static final long MAX_FILE_BYTES = 1L << 50;

  /** A journal that is longer than any is not read to its end, which may be nowhere. */
  private static final long MOST_BYTES = 2 * PlacementJournal.APPLICATION_MAX_BYTES;

  private static final long MOST_BYTES_PER_FILE = 1 << 20;
  private static final long MOST_BYTES_PER_ROUND = 4 << 20;

  private final TierLayout layout;
  private final Supplier<Map<String, String>> usersByApplication;
  private final PlacementTally tally;
  private final Consumer<PlacementRecord> history;
  private final long sinceMillis;
  private final Duration patience;
  private final TimedCalls calls = new TimedCalls("TempTier reads a user's journals", 1);

  /** Readers by the folder of a user on a disk. */
  private final Map<Path, UserJournals> readers = new HashMap<>();

  private final Set<Path> unpunctual = new HashSet<>();

  /**
   * A scanner of the journals of running applications.
   *
   * @param history is given every record that is believed
   * @param sinceMillis records of before are another NodeManager's and not counted into {@code
   *     tally}; milliseconds since 1970
   * @param patience how long a round waits for one user on one disk, once
   */
  JournalScanner(
      TierLayout layout,
      Supplier<Map<String, String>> usersByApplication,
      PlacementTally tally,
      Consumer<PlacementRecord> history,
      long sinceMillis,
      Duration patience) {
    this.layout = layout;
    this.usersByApplication = usersByApplication;
    this.tally = tally;
    this.history = history;
    this.sinceMillis = sinceMillis;
    this.patience = patience;
  }

  /** Reads what is new. Never throws for what is in the files or for files that come and go. */
  public void scan() {
    Map<String, Set<String>> running = new TreeMap<>();
    usersByApplication
        .get()
        .forEach(
            (application, user) -> {
              if (NAME.matcher(user).matches() && NAME.matcher(application).matches()) {
                running.computeIfAbsent(user, key -> new HashSet<>()).add(application);
              }
            });
    running.keySet().forEach(this::addReaders);
    for (Map.Entry<Path, UserJournals> reader : Immutable.copyOf(readers).entrySet()) {
      Path folder = reader.getKey();
      UserJournals journals = reader.getValue();
      Set<String> applications =
          Immutable.copyOf(running.getOrDefault(journals.user, Immutable.setOf()));
      if (read(folder, () -> journals.read(applications)) && applications.isEmpty()) {
        readers.remove(folder);
        unpunctual.remove(folder);
      }
    }
  }

  private void addReaders(String user) {
    for (LocalDir dir : layout.dirs()) {
      readers.computeIfAbsent(
          dir.path().resolve(LocalDir.home(user)), key -> new UserJournals(dir.path(), user));
    }
  }

  /** Reads one user's journals on one disk; true when nothing of them is left open. */
  private boolean read(Path folder, Callable<Boolean> reading) {
    // Who was late is hardly waited for again: a user could be a little late in each round.
    Duration wait = unpunctual.contains(folder) ? ONCE_LATE : patience;
    try {
      return calls.call(folder, wait, reading);
    } catch (IOException e) {
      if (!Thread.currentThread().isInterrupted() && unpunctual.add(folder)) {
        LOG.warn(
            "The placement journals below {} are not read in time, so counters of that user's"
                + " placements may lag. Does the disk answer, or did the user put something else in"
                + " the place of {}? Not logged again. {}",
            folder,
            PlacementJournal.APPLICATION_FILE,
            e.toString());
      }
      return false;
    }
  }

  private void count(PlacementRecord record, String application) {
    if (!believable(record, application)) {
      tally.add(TierCounter.JOURNAL_LINES_IGNORED, 1);
      return;
    }
    history.accept(record);
    if (record.timeMillis() >= sinceMillis) {
      tally.accept(record);
    }
  }

  private boolean believable(PlacementRecord record, String application) {
    LocalDir told = record.placement().dir();
    return application.equals(record.request().application())
        && record.bytes() <= MAX_FILE_BYTES
        // A dir of the node and no folder in one, of which a job could name any number.
        && layout.dirs().stream()
            .anyMatch(dir -> dir.medium() == told.medium() && dir.path().equals(told.path()));
  }

  /** Users and disks of which something may still be open, or whose round does not come back. */
  int readers() {
    return readers.size();
  }

  @Override
  public void close() {
    Duration wait = patience;
    for (Map.Entry<Path, UserJournals> reader : readers.entrySet()) {
      reader.getValue().closed = true;
      try {
        calls.call(reader.getKey(), wait, reader.getValue()::close);
      } catch (IOException e) {
        // Where a round does not come back, they stay open until the process ends.
        wait = ONCE_LATE;
      }
    }
    readers.clear();
  }

  /**
   * The journals of one user's applications below one local dir, each read on from where the last
   * round ended. A round may take forever, so it runs on a thread to spare; the next begins when it
   * has ended.
   */
  private final class UserJournals {
    private final Path localDir;
    final String user;
    private final Map<String, JournalTail> open = new HashMap<>();

    /** Has a round that is under way read no further journal. */
    volatile boolean closed;

    UserJournals(Path localDir, String user) {
      this.localDir = localDir;
      this.user = user;
    }

    /** Reads what is new of running applications; true when nothing is open any more. */
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
          IOUtils.cleanupWithLogger(LOG, journal);
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
        return journal.poll(most, record -> count(record, application));
      } catch (IOException e) {
        LOG.debug("Cannot read the journal of {}", application, e);
        return -1;
      } finally {
        tally.add(TierCounter.JOURNAL_LINES_IGNORED, journal.ignored() - before);
      }
    }

    /** Closes all journals; not while a round is under way. */
    boolean close() {
      open.values().forEach(journal -> IOUtils.cleanupWithLogger(LOG, journal));
      open.clear();
      return true;
    }
  }
}
