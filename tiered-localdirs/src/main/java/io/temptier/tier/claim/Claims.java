// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.ProcessTable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The claims on one local dir, shared by every process of the node through a folder that one can
 * {@code ls}. A claim is one file per file being written:
 *
 * <pre>{@code
 * <bytes>-<pid>-<start ticks>-<container, application or none>-<sequence>-n<pid namespace>
 * }</pre>
 *
 * whose length is the number of bytes already written. So what is outstanding is the bytes in the
 * name less the length; it only ever shrinks, and a stale view of it errs on the safe side. A claim
 * of 0 bytes claims nothing: its owner keeps it for its next one. A later version may add to the
 * end of the name, after a dash, and to nothing else: earlier ones count such a claim as theirs.
 *
 * <p><b>Liveness.</b> A claim counts while its modification time, which owners renew every second,
 * is younger than {@link #LEASE_MILLIS}, and also while its owner runs, known from pid and start
 * time. A claim whose owner's pid is given to nobody any more ends at once, where the name says
 * that the owner is of the reader's pid namespace. The lease is what counts between pid namespaces
 * (containers) and under {@code hidepid}, where owners are not visible; the pid is what counts
 * while an owner is stopped. For an owner that is stopped and not visible the NodeManager stands,
 * while its container runs ({@link ContainerLeases}).
 *
 * <p><b>Trust.</b> The folder is world-writable and sticky, so anybody can lie, but only about
 * themselves and only for speed. Names that do not parse, files that are not regular and bytes
 * beyond the file system's size are ignored and counted; a claim in the name of another user's
 * process has only its lease; what one user claims is bounded ({@link ClaimTally}). A folder with
 * more than {@link #MAX_ENTRIES} entries is not read to its end. What is promised is not known
 * then, so the dir counts as full. The NodeManager deletes what is too much ({@link ClaimSweep}).
 * Links are never followed: one that leads to a hung mount must not hang the reader.
 *
 * <p><b>Without a folder</b>, as where no NodeManager runs TempTier, claims are counted within this
 * process only. The same holds for a folder that others may rename and delete in.
 *
 * <p>Safe for use by many threads.
 */
public final class Claims {
  /** More entries than this in one folder are not read: a bound on what a hostile job can cost. */
  public static final int MAX_ENTRIES = 32_768;

  /**
   * How many entries of one user count that promise bytes, and as many again that promise none. It
   * is far more than files are written at once. The user of the local dirs and root have no bound.
   */
  static final int MAX_ENTRIES_OF_USER = 2_048;

  /** With more entries that count nothing a folder is as good as crowded. */
  static final int MOST_IGNORED = MAX_ENTRIES / 4;

  /** How long the claim of an owner that is not visible counts after its last renewal. */
  static final long LEASE_MILLIS = 5_000;

  /** A NodeManager that keeps the folder has put it back after so long. */
  private static final long RESTORED_MILLIS = 60_000;

  private static final Logger LOG = LoggerFactory.getLogger(Claims.class);

  /**
   * Starts anywhere, so that two processes of the same pid and start time, in containers of their
   * own, or two copies of this class do not claim by the same name.
   */
  private static final AtomicLong SEQUENCE =
      new AtomicLong(ThreadLocalRandom.current().nextLong(100_000_000_000_000_000L));

  /** Nobody guesses the next name: a file of another user's in its place would be in the way. */
  private static final long MOST_STEP = 100_000_000;

  private static final long FIRST_SEQUENCE = SEQUENCE.get();

  /** The claims made by this class and not released, by name. */
  private static final Map<String, Claim> STANDING = new ConcurrentHashMap<>();

  /** What is outstanding in one folder. */
  @AutoValue
  public abstract static class Outstanding {

    /** Nothing claimed. */
    public static final Outstanding NONE = Outstanding.of(0, 0, 0, Immutable.mapOf());

    /**
     * Promised and not yet written, over all live claims that count; {@link Long#MAX_VALUE} when
     * the folder has too many entries to tell.
     */
    public abstract long bytes();

    /** Live claims. */
    public abstract int count();

    /** Entries that were corrupt, hostile or too many. */
    public abstract int ignored();

    /** Outstanding bytes of each application, as far as its own user claimed them. */
    public abstract Map<String, Long> byApplication();

    /** Of {@code bytes}, those of users who may claim all of it. */
    public abstract long unboundBytes();

    /** What each other user claimed, be it too much. */
    public abstract Map<Integer, Long> byUid();

    public static Outstanding of(
        long bytes,
        int count,
        int ignored,
        Map<String, Long> byApplication,
        long unboundBytes,
        Map<Integer, Long> byUid) {
      return new AutoValue_Claims_Outstanding(
          bytes, count, ignored, byApplication, unboundBytes, byUid);
    }

    /** Claims that all count in full: none is of a user with a bound. */
    public static Outstanding of(
        long bytes, int count, int ignored, Map<String, Long> byApplication) {
      return of(bytes, count, ignored, byApplication, bytes, Immutable.mapOf());
    }
  }

  private final Path folder;
  private final File folderFile;
  private final FolderList list;
  private final ProcessTable processes;
  private final LongSupplier clockMillis;
  private final SpareClaims spares;
  private final FolderTrust trust;
  private final Set<Claim> unfiled = ConcurrentHashMap.newKeySet();
  private volatile boolean failing;
  private volatile long seenMillis = Long.MIN_VALUE / 2;

  // Guarded by this.
  private Map<String, ClaimEntry> known = new HashMap<>();
  private Set<String> hostile = new HashSet<>();

  /**
   * The claims in {@code folder}.
   *
   * @param folder need not exist; claims are then counted within this process
   * @param processes tells which owners run
   * @param clockMillis wall-clock time, as file systems stamp it
   */
  public Claims(Path folder, ProcessTable processes, LongSupplier clockMillis) {
    this.folder = folder;
    this.folderFile = folder.toFile();
    this.list = new FolderList(folder, MAX_ENTRIES);
    this.spares = SpareClaims.in(folder);
    this.trust = new FolderTrust(folder, clockMillis);
    this.processes = processes;
    this.clockMillis = clockMillis;
  }

  /**
   * Promises bytes to a file of this process. The promise stands at once for every process; whether
   * there was room for it is for the caller to check afterwards, on {@link #outstanding}.
   *
   * @param bytes how many, 0 or more
   * @param application the YARN application it is for, or null
   * @return the claim, or empty when others claim here and this process cannot: no room, no inode,
   *     read-only or not permitted
   */
  public Optional<Claim> claim(long bytes, @Nullable String application) {
    if (!trust.trusted()) {
      Claim claim = new Claim(null, bytes, this, clockMillis.getAsLong());
      unfiled.add(claim);
      return Optional.of(claim);
    }
    File file = fileOf(bytes, Holder.of(application));
    Claim claim = new Claim(file, bytes, this, clockMillis.getAsLong());
    STANDING.put(file.getName(), claim);
    String error = "it exists already";
    try {
      // Either way exclusively, so never through a link.
      if (spares.become(file, claim, clockMillis.getAsLong()) || file.createNewFile()) {
        failing = false;
        return Optional.of(claim);
      }
    } catch (IOException e) {
      error = e.toString();
    }
    STANDING.remove(file.getName());
    if (!trust.lookAgain()) {
      // Emptied, or taken away, since it was last looked at.
      return claim(bytes, application);
    }
    if (!failing) {
      failing = true;
      LOG.warn(
          "Cannot claim in {}: {}. Until that works, files go to slower dirs, as this one may be"
              + " full of what others were promised. The folder should have free inodes, mode 1777"
              + " and the NodeManager's user as its owner.",
          folder,
          error);
    }
    return Optional.empty();
  }

  private File fileOf(long bytes, Holder holder) {
    ClaimEntry.Name name =
        ClaimEntry.Name.of(
            bytes,
            processes.self(),
            holder,
            SEQUENCE.addAndGet(ThreadLocalRandom.current().nextLong(1, MOST_STEP)),
            processes.namespace());
    return new File(folderFile, name.toString());
  }

  /**
   * Releases a claim of this dir. A claim that cannot be touched, as on a disk that went read-only,
   * no longer counts in this process, which deletes it when it next reads the folder.
   */
  void release(Claim claim) {
    File file = claim.file();
    if (file == null) {
      unfiled.remove(claim);
      return;
    }
    STANDING.remove(file.getName());
    spares.keep(claim, file, fileOf(0, Holder.none()));
  }

  /** Deletes what was kept for the next claim. */
  public void dropSpares() {
    spares.drop();
  }

  /**
   * What the user of this process may still claim of a dir or file system, by a reading: others do
   * not count more.
   */
  public long shareLeft(Outstanding reading, long totalBytes) {
    int self = processes.selfUid();
    return trust.trusted() && trust.bounds(self)
        ? ClaimTally.mostOfUid(totalBytes) - reading.byUid().getOrDefault(self, 0L)
        : Long.MAX_VALUE;
  }

  /**
   * Whether the folder takes files now, found by touching or making one: the only question a disk
   * that turned read-only after an error, or a root that was emptied under us, does not answer
   * wrongly.
   *
   * @return true as well where the folder was never there, or not for {@link #RESTORED_MILLIS},
   *     since no NodeManager keeps it
   */
  public boolean takesFiles() {
    long now = clockMillis.getAsLong();
    if (!folderFile.isDirectory()) {
      return Math.abs(now - seenMillis) >= RESTORED_MILLIS;
    }
    seenMillis = now;
    if (spares.touchOne(now)) {
      return true;
    }
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
   * @param deadKeptMillis how long the claim of a dead owner is kept for other readers, whose walks
   *     may be older
   */
  public synchronized Outstanding outstanding(
      long totalBytes, long deadCountUntilMillis, long deadKeptMillis) {
    ClaimTally tally = new ClaimTally(totalBytes);
    trust.trusted();
    // A promise released while this adds up may count once more; that is the safe side.
    unfiled.stream()
        .filter(claim -> !claim.givenUp())
        .forEach(
            claim -> {
              tally.addUnbound(claim.outstandingBytes());
              tally.add(Holder.none().id(), claim.outstandingBytes());
            });
    long beganNanos = System.nanoTime();
    List<String> names = list.names();
    if (names.isEmpty()) {
      known = Immutable.mapOf();
      hostile = Immutable.setOf();
      return tally.result(list.crowded(), processes.selfUid());
    }
    long now = clockMillis.getAsLong();
    Map<String, ClaimEntry> seen = new LinkedHashMap<>();
    Map<String, ClaimEntry> surplus = new HashMap<>();
    Set<String> ignored = new HashSet<>();
    OwnerLookup owners = new OwnerLookup(processes);
    Set<Holder> containers = new HashSet<>();
    for (String name : names) {
      if (tally.ignored() > MOST_IGNORED) {
        list.crowd(beganNanos);
        break;
      }
      ClaimEntry before = known.get(name);
      if (before != null && surplus(before, tally)) {
        surplus.put(name, before);
        continue;
      }
      ClaimEntry entry = null;
      try {
        entry = hostile.contains(name) ? null : look(name, totalBytes);
      } catch (NoSuchFileException e) {
        continue;
      } catch (IOException | RuntimeException e) {
        LOG.debug("Cannot read claim {} in {}", name, folder, e);
      }
      if (entry == null) {
        ignored.add(name);
        tally.ignore();
        continue;
      }
      if (before == null && surplus(entry, tally)) {
        surplus.put(name, entry);
        continue;
      }
      seen.put(name, entry);
      if (entry.voucher
          && !trust.bounds(entry.uid)
          && entry.alive(now, owners, Immutable.setOf())) {
        containers.add(entry.holder);
      }
    }
    for (ClaimEntry entry : seen.values()) {
      if (isGivenUp(entry.name)) {
        continue; // The thread of its dir is about to release it.
      }
      boolean released = entry.bytes > 0 && isOwnLeftover(entry);
      boolean alive = !released && entry.alive(now, owners, containers);
      if (alive && entry.bytes == 0) {
        continue;
      }
      if (alive || (!released && entry.deadSinceMillis >= deadCountUntilMillis)) {
        count(entry, tally);
      } else if (released || now - entry.deadSinceMillis >= deadKeptMillis) {
        // Best effort: the folder is sticky, so only the owner's user and the dir's may.
        new File(folderFile, entry.name).delete();
      }
    }
    seen.putAll(surplus);
    known = seen;
    hostile = ignored;
    return tally.result(list.crowded(), processes.selfUid());
  }

  /** Whether an entry is one too many of its user's, and so need not be looked at. */
  private boolean surplus(ClaimEntry entry, ClaimTally tally) {
    boolean surplus = trust.bounds(entry.uid) && !tally.admits(entry.uid, entry.bytes);
    if (surplus) {
      tally.ignore();
    }
    return surplus;
  }

  private void count(ClaimEntry entry, ClaimTally tally) {
    long bytes = entry.outstandingBytes();
    if (trust.bounds(entry.uid)) {
      tally.add(entry.uid, bytes);
    } else {
      tally.addUnbound(bytes);
    }
    // Other users could use up an application's share in its name. The dirs' own user, who places
    // little, does not see what the tasks of others claimed.
    if (!trust.bounds(entry.uid) || entry.uid == processes.selfUid()) {
      tally.add(entry.application, bytes);
    }
  }

  /** Reads an entry as it is now; null when it is not to be believed. */
  private @Nullable ClaimEntry look(String name, long totalBytes) throws IOException {
    ClaimEntry entry = known.get(name);
    long now = clockMillis.getAsLong();
    if (entry != null
        && entry.bytes == 0
        && !entry.voucher
        && Math.abs(now - entry.lookedMillis) < LEASE_MILLIS) {
      // What others keep for their next claim is many files.
      return entry;
    }
    Claim own = STANDING.get(name);
    if (own != null) {
      entry = entry == null ? ClaimEntry.own(name, processes) : entry;
      if (entry != null) {
        entry.writtenBytes = own.writtenBytes();
        entry.modifiedMillis = now;
        return entry;
      }
    }
    BasicFileAttributes attributes =
        Files.readAttributes(
            folder.resolve(name), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (entry == null) {
      entry = ClaimEntry.parse(name, folder, processes);
    }
    if (entry == null || !attributes.isRegularFile() || entry.bytes > totalBytes) {
      return null;
    }
    entry.lookedMillis = now;
    entry.writtenBytes = attributes.size();
    entry.modifiedMillis = attributes.lastModifiedTime().toMillis();
    return entry;
  }

  private static boolean isGivenUp(String name) {
    Claim own = STANDING.get(name);
    return own != null && own.givenUp();
  }

  /** A claim that this process released where it could not delete. */
  private boolean isOwnLeftover(ClaimEntry entry) {
    return entry.owner.equals(processes.self())
        && entry.sequence > FIRST_SEQUENCE
        && entry.sequence <= SEQUENCE.get()
        && !STANDING.containsKey(entry.name);
  }
}
