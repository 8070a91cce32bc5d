// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.ProcessTable;
import io.temptier.tier.os.UserFile;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes, for the NodeManager, what may not be among the claims on a local dir: what is no ledger,
 * and of a user's ledgers those beyond {@link Outstanding.Tally#MOST_OF_UID}, and those for
 * applications that do not run here as the owner of the ledger. Claims of a service outside YARN
 * go, too: its user cannot be told from a hostile one, and could write no file in YARN's dirs
 * anyway. The owner of {@code usercache/USER}, which only the NodeManager can make, tells who a
 * user is; a directory of users is asked only for a name in the log. Claims of the owner of the dir
 * and of root are left alone.
 *
 * <p>Of another user's folders a NodeManager that is not root may delete none with something in it,
 * nor move it elsewhere. It gives them a name that costs readers nothing ({@link
 * FolderList#ASIDE}).
 *
 * <p>The folder of claims stays the same one, as containers have it mounted. One on ext4 that grew,
 * where each reading stays dear, is exchanged while no application is on the node.
 *
 * <p>For use by one thread, which waits for the dir; {@link #swept} for many.
 */
public final class ClaimSweep {
  /** Applications may be known later than their tasks run, as when a NodeManager recovers. */
  static final long GRACE_MILLIS = 30_000;

  private static final int OPEN_MODE = 01777;

  /** A smaller folder is listed in no time, however little of it is used. */
  static final long GROWN_BYTES = 512 << 10;

  /** Period after which what was set aside is tried again. */
  static final long RETRY_MILLIS = 300_000;

  /** Folders in folders, and entries, that one sweep deletes. */
  private static final int MOST_DEPTH = 32;

  private static final int MOST_DELETIONS = 100_000;

  private static final int MOST_STUCK = 4 * Claims.MAX_ENTRIES;

  /** Time of one sweep for deletions: leases of containers wait for its end. */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final long LOG_MILLIS = 600_000;

  /** More users than this are not told apart. */
  private static final int MOST_USERS = 100;

  private static final Logger LOG = LoggerFactory.getLogger(ClaimSweep.class);

  @AutoValue
  public abstract static class Swept {
    public abstract int uid();

    /** The name of {@code uid}, or the number where it has none. */
    public abstract String user();

    public abstract long entries();

    public abstract long bytes();

    /** Time when the last was deleted, wall clock. */
    public abstract long lastMillis();

    public static Swept of(int uid, String user, long entries, long bytes, long lastMillis) {
      return new AutoValue_ClaimSweep_Swept(uid, user, entries, bytes, lastMillis);
    }

    private Swept plus(long moreBytes, long nowMillis) {
      return Swept.of(uid(), user(), entries() + 1, Sizes.sum(bytes(), moreBytes), nowMillis);
    }
  }

  private final Path root;
  private final Path folder;
  private final FolderTrust trust;
  private final LongSupplier clockMillis;
  private final Map<Integer, Swept> sweptOf = new ConcurrentHashMap<>();
  private final Map<Integer, Long> strangerSince = new HashMap<>();
  private final Map<Integer, Long> loggedMillis = new HashMap<>();
  private final ContainerLeases leases;

  /** Names of what could not be deleted, which rests. */
  private final Set<String> stuck = new HashSet<>();

  private long retriedMillis = Long.MIN_VALUE / 2;
  private long inUseMillis;
  private int deletions;
  private long beganNanos;

  public ClaimSweep(Path root, LongSupplier clockMillis) {
    this(root, clockMillis, new ProcessTable());
  }

  ClaimSweep(Path root, LongSupplier clockMillis, ProcessTable processes) {
    this.root = root;
    this.folder = NodeMarker.claims(root);
    this.clockMillis = clockMillis;
    Claims claims = new Claims(folder, processes, clockMillis);
    this.trust = claims.trust();
    this.leases = new ContainerLeases(claims);
    this.inUseMillis = clockMillis.getAsLong();
  }

  public List<Swept> swept() {
    return Immutable.listFrom(sweptOf.values());
  }

  /**
   * Looks at every claim once, by the applications and containers that run on this node. Without
   * applications nobody knows what runs: a ledger for anything may stand.
   */
  public void sweep(@Nullable Map<String, String> usersByApplication, Set<String> containers) {
    if (!trust.trusted()) {
      return;
    }
    Outstanding.Tally tally = new Outstanding.Tally(0);
    Optional<Map<String, Integer>> uids = Optional.empty();
    boolean asked = false;
    Map<Integer, Long> strangers = new HashMap<>();
    long now = clockMillis.getAsLong();
    deletions = 0;
    beganNanos = System.nanoTime();
    if (Math.abs(now - retriedMillis) >= RETRY_MILLIS) {
      retriedMillis = now;
      stuck.clear();
    }
    try (DirectoryStream<Path> claims = Files.newDirectoryStream(folder)) {
      for (Path claim : claims) {
        String entry = String.valueOf(claim.getFileName());
        FileStamp stamp = stuck.contains(entry) ? null : FileStamp.findAnybodys(claim).orElse(null);
        if (stamp == null) {
          continue;
        }
        int uid = stamp.uid();
        LedgerName name = LedgerName.parse(entry);
        if (name == null || !stamp.regular()) {
          if (System.nanoTime() - beganNanos < MOST_NANOS) {
            delete(claim, uid, 0, now);
          }
          continue;
        }
        if (!trust.bounds(uid)) {
          continue;
        }
        boolean surplus = !tally.admits(uid);
        if (!asked && usersByApplication != null) {
          // Asked of the disk only where there is a ledger to judge.
          uids = uidsByApplication(usersByApplication);
          asked = true;
        }
        boolean stranger = uids.isPresent() && !runs(uids.get(), uid, name.holder);
        if (stranger) {
          strangers.put(uid, strangerSince.getOrDefault(uid, now));
        }
        if (surplus || (stranger && now - strangers.getOrDefault(uid, now) >= GRACE_MILLIS)) {
          delete(claim, uid, stamp.bytes(), now);
        } else if (stamp.bytes() > 0 && !stranger && containers.contains(name.holder)) {
          leases.look(claim.toString(), name, stamp.modified().toMillis(), now);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      LOG.debug("Cannot list {}", folder, e);
    }
    leases.give(now);
    strangerSince.keySet().retainAll(strangers.keySet());
    strangerSince.putAll(strangers);
    log(now);
    if (usersByApplication != null && !usersByApplication.isEmpty()) {
      inUseMillis = now;
    } else if (Math.abs(now - inUseMillis) >= GRACE_MILLIS
        && folder.toFile().length() >= GROWN_BYTES) {
      exchange();
    }
  }

  /** Puts a new folder in the place of one that is empty: another is not replaced. */
  private void exchange() {
    Path fresh = folder.resolveSibling(folder.getFileName() + ".tmp");
    try {
      Files.createDirectories(fresh);
      Files.setAttribute(fresh, "unix:mode", OPEN_MODE, LinkOption.NOFOLLOW_LINKS);
      Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      LOG.debug("{} stays as large as it is", folder, e);
      fresh.toFile().delete();
    }
  }

  /** True if something may be logged of a user, which then is not for a while. */
  private boolean logs(int uid, long now) {
    if (now - loggedMillis.getOrDefault(uid, now - LOG_MILLIS) < LOG_MILLIS) {
      return false;
    }
    loggedMillis.put(uid, now);
    return true;
  }

  /** Empty when the owner of an application cannot be told here: nobody is a stranger then. */
  private Optional<Map<String, Integer>> uidsByApplication(Map<String, String> users) {
    Map<String, Integer> uids = new HashMap<>();
    for (Map.Entry<String, String> application : users.entrySet()) {
      int uid = ProcessTable.uidOf(root.resolve(LocalDir.home(application.getValue())));
      if (uid < 0) {
        return Optional.empty();
      }
      uids.put(application.getKey(), uid);
    }
    return Optional.of(uids);
  }

  private static boolean runs(Map<String, Integer> uids, int uid, String holder) {
    return holder.equals(LedgerName.NOBODY)
        ? uids.containsValue(uid)
        : Integer.valueOf(uid).equals(uids.get(LedgerName.application(holder)));
  }

  private void delete(Path claim, int uid, long bytes, long now) {
    Swept before = sweptOf.get(uid);
    try {
      if (before == null) {
        // Asked only of users who misbehave, and once.
        String user = Files.getOwner(claim, LinkOption.NOFOLLOW_LINKS).getName();
        before = Swept.of(uid, user, 0, 0, now);
      }
      deleteAll(claim);
    } catch (NoSuchFileException e) {
      // Its user was first.
      return;
    } catch (IOException | DirectoryIteratorException e) {
      setAside(claim);
      if (logs(uid, now)) {
        LOG.warn(
            "Cannot delete {} of uid {} ({}): such entries get a name that begins with a dot, and"
                + " count for nothing. As root, remove them: rm -rf {}/.[!.]*",
            claim,
            uid,
            e.toString(),
            folder);
      }
      return;
    }
    if (sweptOf.size() < MOST_USERS || sweptOf.containsKey(uid)) {
      sweptOf.put(uid, before.plus(bytes, now));
    }
  }

  private void deleteAll(Path claim) throws IOException {
    try {
      Files.delete(claim);
    } catch (DirectoryNotEmptyException e) {
      try (DirectoryStream<Path> claims = Files.newDirectoryStream(folder)) {
        Object device = device(FileStamp.of(folder).key());
        deleteAll(UserFile.secure(claims), claim.getFileName(), device, 0);
      }
    }
  }

  /** Deletes an entry and all that is in it: its user may put links and pipes there meanwhile. */
  private void deleteAll(SecureDirectoryStream<Path> parent, Path name, Object device, int depth)
      throws IOException {
    if (depth > MOST_DEPTH
        || ++deletions > MOST_DELETIONS
        || System.nanoTime() - beganNanos > MOST_NANOS) {
      throw new IOException("There is too much in it");
    }
    BasicFileAttributes attributes = UserFile.look(parent, name);
    if (!attributes.isDirectory()) {
      parent.deleteFile(name);
      return;
    }
    if (!device.equals(device(attributes.fileKey()))) {
      throw new IOException("Something is mounted in it");
    }
    try (SecureDirectoryStream<Path> below =
        UserFile.openFolder(parent, name, attributes.fileKey())) {
      for (Path entry : below) {
        deleteAll(below, entry.getFileName(), device, depth + 1);
      }
    }
    parent.deleteDirectory(name);
  }

  /** The file system of a file, by its key: a user's own, such as FUSE, may hang. */
  private static String device(Object key) {
    return key.toString().split(",", 2)[0];
  }

  private void setAside(Path claim) {
    String name = String.valueOf(claim.getFileName());
    if (!name.startsWith(FolderList.ASIDE)) {
      String aside = FolderList.ASIDE + Long.toString(System.nanoTime(), Character.MAX_RADIX);
      name = claim.toFile().renameTo(claim.resolveSibling(aside).toFile()) ? aside : name;
    }
    if (stuck.size() < MOST_STUCK) {
      stuck.add(name);
    }
  }

  private void log(long now) {
    for (Swept swept : sweptOf.values()) {
      if (swept.lastMillis() == now && logs(swept.uid(), now)) {
        LOG.warn(
            "Deleted claims of uid {} ({}) in {}: {} entries of {} bytes so far. They were no"
                + " claims, too many, or for no application of that user on this node. Not logged"
                + " again for ten minutes; `status` shows it. Look at what that user runs here.",
            swept.uid(),
            swept.user(),
            folder,
            swept.entries(),
            swept.bytes());
      }
    }
  }
}
