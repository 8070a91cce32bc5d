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

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The claims on one local dir, shared by every process of the node through a folder that one can
 * {@code ls}. A claim is one file per file being written:
 *
 * <pre>{@code <bytes>-<pid>-<start ticks>-<application or none>-<sequence>}</pre>
 *
 * whose length is the number of bytes already written. So what is outstanding is the bytes in the
 * name less the length; it only ever shrinks, and a stale view of it errs on the safe side.
 *
 * <p><b>Liveness.</b> A claim counts while its owner runs, known from pid and start time, or while
 * its modification time, which owners renew every second, is younger than {@link #LEASE_MILLIS}.
 * The lease is what counts between pid namespaces (containers) and under {@code hidepid}, where
 * owners are not visible.
 *
 * <p><b>Trust.</b> The folder is world-writable and sticky, so anybody can lie, but only about
 * themselves and only for speed: names that do not parse, files that are not regular, bytes beyond
 * the file system's size, claims in the name of another user's process and everything after {@link
 * #MAX_ENTRIES} entries are ignored and counted. Claims are created exclusively, never through a
 * link.
 *
 * <p>Safe for use by many threads.
 */
public final class Claims {
  /** More entries than this in one folder are not read: a bound on what a hostile job can cost. */
  static final int MAX_ENTRIES = 8192;

  /** How long the claim of an owner that is not visible counts after its last renewal. */
  static final long LEASE_MILLIS = 5_000;

  private static final String NO_APPLICATION = "none";
  private static final Pattern NAME =
      Pattern.compile("(\\d{1,18})-(\\d{1,10})-(\\d{1,18})-([A-Za-z0-9_]{1,100})-(\\d{1,18})");
  private static final AtomicLong SEQUENCE = new AtomicLong();

  /**
   * What is outstanding in one folder.
   *
   * @param bytes promised and not yet written, over all live claims
   * @param count live claims
   * @param ignored entries that were corrupt, hostile or too many
   * @param byApplication outstanding bytes of each application
   */
  public record Outstanding(long bytes, int count, int ignored, Map<String, Long> byApplication) {
    /** Nothing claimed. */
    static final Outstanding NONE = new Outstanding(0, 0, 0, Map.of());
  }

  /**
   * A claim of any process, as read. {@code deadSinceMillis} is when this reader first saw its
   * owner gone.
   */
  private static final class Entry {
    final String name;
    final long bytes;
    final ProcessTable.Owner owner;
    final String application;
    long deadSinceMillis;

    Entry(Matcher name) {
      this.name = name.group();
      this.bytes = Long.parseLong(name.group(1));
      this.owner =
          new ProcessTable.Owner(Long.parseLong(name.group(2)), Long.parseLong(name.group(3)));
      this.application = name.group(4);
    }
  }

  private final File folder;
  private final ProcessTable processes;
  private final LongSupplier clockMillis;
  private Map<String, Entry> known = new HashMap<>();
  private Set<String> hostile = new HashSet<>();
  private boolean folderSeen;

  /**
   * The claims in {@code folder}.
   *
   * @param folder need not exist; then nothing can be claimed
   * @param processes tells which owners run
   * @param clockMillis wall-clock time, as file systems stamp it
   */
  Claims(Path folder, ProcessTable processes, LongSupplier clockMillis) {
    this.folder = folder.toFile();
    this.processes = processes;
    this.clockMillis = clockMillis;
  }

  /**
   * Promises bytes to a file of this process. The promise stands at once for every process; whether
   * there was room for it is for the caller to check afterwards, on {@link #outstanding}.
   *
   * @param bytes how many, 0 or more
   * @param application the YARN application it is for, or null
   * @return the claim, or empty when the folder cannot be written
   */
  Optional<Claim> claim(long bytes, @Nullable String application) {
    String name =
        bytes
            + "-"
            + processes.self().pid()
            + "-"
            + processes.self().startTicks()
            + "-"
            + (application == null ? NO_APPLICATION : application)
            + "-"
            + SEQUENCE.incrementAndGet();
    File file = new File(folder, name);
    try {
      return file.createNewFile() ? Optional.of(new Claim(file, bytes)) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Whether the folder takes files now, found by making one: the only question a disk that turned
   * read-only after an error, or a root that was emptied under us, does not answer wrongly.
   *
   * @return true as well where the folder was never there, since no NodeManager keeps it
   */
  synchronized boolean takesFiles() {
    if (!folder.isDirectory()) {
      return !folderSeen;
    }
    folderSeen = true;
    Optional<Claim> proof = claim(0, null);
    proof.ifPresent(Claim::release);
    return proof.isPresent();
  }

  /**
   * Reads what every process has outstanding, now.
   *
   * @param totalBytes size of the file system; a claim beyond it is nonsense
   * @param deadCountUntilMillis claims of owners seen gone at or after this time still count;
   *     {@link Long#MAX_VALUE} counts no dead owner. A capped dir passes the start of its last
   *     usage walk: what a process wrote before it ended is in no walk that began earlier.
   */
  synchronized Outstanding outstanding(long totalBytes, long deadCountUntilMillis) {
    String[] names = folder.list();
    if (names == null || names.length == 0) {
      known.clear();
      hostile.clear();
      return Outstanding.NONE;
    }
    Map<String, Entry> seen = new HashMap<>();
    Set<String> stillHostile = new HashSet<>();
    Map<String, Long> byApplication = new HashMap<>();
    Map<ProcessTable.Owner, Boolean> running = new HashMap<>();
    long bytes = 0;
    int count = 0;
    for (int i = 0; i < names.length && i < MAX_ENTRIES; i++) {
      Entry entry = hostile.contains(names[i]) ? null : known.get(names[i]);
      if (entry == null) {
        entry = hostile.contains(names[i]) ? null : admit(names[i], totalBytes);
        if (entry == null) {
          stillHostile.add(names[i]);
          continue;
        }
      }
      seen.put(entry.name, entry);
      File file = new File(folder, entry.name);
      if (!counts(entry, file, running, deadCountUntilMillis)) {
        // Best effort: the folder is sticky, so only the owner's user and the dir's may.
        if (file.delete()) {
          seen.remove(entry.name);
        }
        continue;
      }
      long outstanding = entry.bytes - Math.min(entry.bytes, file.length());
      // Each is at most the file system's size, so the sum can pass Long.MAX_VALUE only by lies.
      bytes = bytes > Long.MAX_VALUE - outstanding ? Long.MAX_VALUE : bytes + outstanding;
      count++;
      byApplication.merge(
          entry.application,
          outstanding,
          (a, b) -> a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b);
    }
    known = seen;
    hostile = stillHostile;
    int ignored = stillHostile.size() + Math.max(0, names.length - MAX_ENTRIES);
    return new Outstanding(bytes, count, ignored, Map.copyOf(byApplication));
  }

  private boolean counts(
      Entry entry, File file, Map<ProcessTable.Owner, Boolean> running, long deadCountUntilMillis) {
    if (running.computeIfAbsent(entry.owner, processes::isRunning)) {
      entry.deadSinceMillis = 0;
      return true;
    }
    long now = clockMillis.getAsLong();
    long modified = file.lastModified();
    if (modified > 0 && Math.abs(now - modified) < LEASE_MILLIS) {
      return true;
    }
    if (entry.deadSinceMillis == 0) {
      entry.deadSinceMillis = now;
    }
    return entry.deadSinceMillis >= deadCountUntilMillis;
  }

  /** Checks a name seen for the first time; null when it is not to be believed. */
  private @Nullable Entry admit(String name, long totalBytes) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      return null;
    }
    Entry entry = new Entry(matcher);
    Path file = folder.toPath().resolve(name);
    try {
      if (entry.bytes > totalBytes || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS) ? null : entry;
      }
      int ownerUid = processes.uidOf(entry.owner.pid());
      int fileUid = (Integer) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
      // Without the owner check a job could claim in the name of a process that never ends.
      return ownerUid >= 0 && ownerUid != fileUid && processes.isRunning(entry.owner)
          ? null
          : entry;
    } catch (NoSuchFileException e) {
      return entry;
    } catch (IOException | UnsupportedOperationException e) {
      return null;
    }
  }
}
