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
package io.temptier.hadoop;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.temptier.tier.JournalTail;
import io.temptier.tier.LocalDir;
import io.temptier.tier.PlacementJournal;
import io.temptier.tier.PlacementRecord;
import io.temptier.tier.TierLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the placement journals of the node's running applications as they grow, and counts what
 * their tasks placed.
 *
 * <p>Journals belong to the users of the jobs. A record counts only when it is of its own
 * application, in a dir of this node and of a size that can be; whatever a job invents beyond that
 * changes these numbers and nothing else. A journal stays open while its application runs, so its
 * last lines are read even when its dir is deleted first. One round reads a bounded number of
 * bytes.
 *
 * <p>Used by one thread at a time.
 */
final class JournalScanner implements AutoCloseable {
  /** Journals open at most; those of further applications wait until others end. */
  static final int MAX_OPEN = 1024;

  private static final Logger LOG = LoggerFactory.getLogger(JournalScanner.class);
  private static final long MAX_BYTES_PER_FILE = 1 << 20;
  private static final long MAX_BYTES_PER_ROUND = 32 << 20;

  /** A petabyte: no temporary file is larger. */
  private static final long MAX_FILE_BYTES = 1L << 50;

  /** An open journal. {@code key} tells whether the file at the path is still the same. */
  private record Open(JournalTail tail, @Nullable Object key, String application) {}

  private final TierLayout layout;
  private final Supplier<Map<String, String>> usersByApplication;
  private final PlacementTally tally;
  private final long sinceMillis;
  private final Map<Path, Open> open = new HashMap<>();

  /**
   * A scanner that counts into {@code tally}.
   *
   * @param layout the roots to look under
   * @param usersByApplication the running applications, each with its user
   * @param sinceMillis records of before are another NodeManager's; milliseconds since 1970
   */
  JournalScanner(
      TierLayout layout,
      Supplier<Map<String, String>> usersByApplication,
      PlacementTally tally,
      long sinceMillis) {
    this.layout = layout;
    this.usersByApplication = usersByApplication;
    this.tally = tally;
    this.sinceMillis = sinceMillis;
  }

  /** Reads what is new. Never throws for what is in the files or for files that come and go. */
  void scan() {
    Map<String, String> running = usersByApplication.get();
    running.forEach(this::openJournals);
    long left = MAX_BYTES_PER_ROUND;
    for (Iterator<Map.Entry<Path, Open>> all = open.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<Path, Open> entry = all.next();
      long most = Math.min(left, MAX_BYTES_PER_FILE);
      long read = most > 0 ? read(entry.getValue(), most) : most;
      boolean atEnd = read < most;
      left -= Math.max(0, read);
      boolean over = !running.containsKey(entry.getValue().application());
      if (read < 0 || (atEnd && (over || replaced(entry.getKey(), entry.getValue())))) {
        close(entry.getValue());
        all.remove();
      }
    }
  }

  private void openJournals(String application, String user) {
    if (!isName(user) || !isName(application)) {
      return;
    }
    for (LocalDir dir : layout.dirs()) {
      Path file =
          dir.path()
              .resolve("usercache")
              .resolve(user)
              .resolve("appcache")
              .resolve(application)
              .resolve(PlacementJournal.APPLICATION_FILE);
      if (open.size() < MAX_OPEN && !open.containsKey(file) && file.toFile().exists()) {
        try {
          Object key = key(file);
          open.put(file, new Open(JournalTail.open(file), key, application));
        } catch (IOException e) {
          LOG.debug("Cannot read {}", file, e);
        }
      }
    }
  }

  private static boolean isName(String name) {
    return !name.isEmpty()
        && name.indexOf('/') < 0
        && name.indexOf('\0') < 0
        && !name.equals("..")
        && !name.equals(".");
  }

  /** Bytes read, or -1 when the file cannot be read any more. */
  private long read(Open journal, long most) {
    long ignored = journal.tail().ignored();
    try {
      return journal.tail().poll(most, record -> count(record, journal.application()));
    } catch (IOException e) {
      LOG.debug("Cannot read the journal of {}", journal.application(), e);
      return -1;
    } finally {
      tally.add(TierCounter.JOURNAL_LINES_IGNORED, journal.tail().ignored() - ignored);
    }
  }

  private void count(PlacementRecord record, String application) {
    if (!believable(record, application)) {
      tally.add(TierCounter.JOURNAL_LINES_IGNORED, 1);
    } else if (record.timeMillis() >= sinceMillis) {
      tally.add(TierCounter.JOURNAL_LINES, 1);
      tally.accept(record);
    }
  }

  private boolean believable(PlacementRecord record, String application) {
    try {
      return application.equals(record.application())
          && record.bytes() <= MAX_FILE_BYTES
          && layout
              .dirOf(Path.of(record.dir()))
              .filter(dir -> dir.medium() == record.medium())
              .isPresent();
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static boolean replaced(Path file, Open journal) {
    try {
      return file.toFile().exists() && !Objects.equals(journal.key(), key(file));
    } catch (IOException e) {
      return false;
    }
  }

  private static @Nullable Object key(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class, NOFOLLOW_LINKS).fileKey();
  }

  private static void close(Open journal) {
    try {
      journal.tail().close();
    } catch (IOException e) {
      LOG.debug("Closing the journal of {} failed", journal.application(), e);
    }
  }

  @Override
  public void close() {
    open.values().forEach(JournalScanner::close);
    open.clear();
  }
}
