// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.ProcessTable;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes, for the NodeManager, entries that users may not have among the claims on a local dir:
 * what is no ledger, more than {@link Outstanding.Tally#MOST_OF_UID} of them, and those for
 * applications that do not run here as the owner of the ledger. Claims of a service outside YARN
 * go, too: its user cannot be told from a hostile one, and could write no file in YARN's dirs
 * anyway. The owner of {@code usercache/USER}, which only the NodeManager can make, tells who a
 * user is; a directory of users is asked only for a name in the log. Claims of the owner of the dir
 * and of root are left alone. Where too much is left that cannot be deleted, or a folder is large
 * for what is in it, there is a {@link FolderReplacement}.
 *
 * <p>For use by one thread, which waits for the dir; {@link #swept} for many.
 */
public final class ClaimSweep {
  /** Applications may be known later than their tasks run, as when a NodeManager recovers. */
  static final long GRACE_MILLIS = 30_000;

  /** A smaller folder is listed in no time, however little of it is used. */
  static final long GROWN_BYTES = 512 << 10;

  /** An entry takes less than a hundred bytes, and folders are seldom less than half full. */
  private static final long MOST_BYTES_AN_ENTRY = 500;

  private static final long LOG_MILLIS = 600_000;

  /** Stands for what is logged of no user in particular. */
  private static final int OF_NO_UID = -1;

  /** More users than this are not told apart. */
  private static final int MOST_USERS = 100;

  private static final Logger LOG = LoggerFactory.getLogger(ClaimSweep.class);

  /** What was deleted of one user's. */
  @AutoValue
  public abstract static class Swept {
    public abstract int uid();

    /** The name of {@code uid}, or the number where it has none. */
    public abstract String user();

    /** Deleted since the start. */
    public abstract long entries();

    /** That they claimed. */
    public abstract long bytes();

    /** When the last was deleted, wall clock. */
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
  private final FolderReplacement replacement;
  private final ContainerLeases leases;

  public ClaimSweep(Path root, LongSupplier clockMillis) {
    this(root, clockMillis, new ProcessTable());
  }

  ClaimSweep(Path root, LongSupplier clockMillis, ProcessTable processes) {
    this.root = root;
    this.folder = NodeMarker.claims(root);
    this.clockMillis = clockMillis;
    Claims claims = new Claims(folder, processes, clockMillis);
    this.trust = claims.trust();
    this.replacement = new FolderReplacement(folder, processes, clockMillis);
    this.leases = new ContainerLeases(claims);
  }

  public List<Swept> swept() {
    return Immutable.listFrom(sweptOf.values());
  }

  /** Looks at every claim once, by the applications and containers that run on this node. */
  public void sweep(Map<String, String> usersByApplication, Set<String> containers) {
    try {
      replacement.end();
    } catch (IOException e) {
      LOG.debug("The replacement of {} is not over", folder, e);
    }
    if (!trust.trusted()) {
      return;
    }
    Outstanding.Tally tally = new Outstanding.Tally(0);
    Map<Integer, Long> strangers = new HashMap<>();
    long now = clockMillis.getAsLong();
    int left = 0;
    // Asked of the disk only where there is a ledger to judge.
    Optional<Map<String, Integer>> uids = null;
    try (DirectoryStream<Path> claims = Files.newDirectoryStream(folder)) {
      for (Path claim : claims) {
        left++;
        FileStamp is = FileStamp.findAnybodys(claim).orElse(null);
        if (is == null || !trust.bounds(is.uid())) {
          continue;
        }
        int uid = is.uid();
        LedgerName name = LedgerName.parse(String.valueOf(claim.getFileName()));
        boolean surplus = !tally.admits(uid);
        if (name == null || !is.regular()) {
          left -= delete(claim, uid, 0, now) ? 1 : 0;
          continue;
        }
        if (uids == null) {
          uids = uidsByApplication(usersByApplication);
        }
        boolean stranger = uids.isPresent() && !runs(uids.get(), uid, name.holder);
        if (stranger) {
          strangers.put(uid, strangerSince.getOrDefault(uid, now));
        }
        if (surplus || (stranger && now - strangers.getOrDefault(uid, now) >= GRACE_MILLIS)) {
          left -= delete(claim, uid, is.bytes(), now) ? 1 : 0;
        } else if (is.bytes() > 0 && !stranger && containers.contains(name.holder)) {
          leases.look(claim.toString(), name, is.modified().toMillis(), now);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      LOG.debug("Cannot list {}", folder, e);
    }
    leases.give(now);
    strangerSince.keySet().retainAll(strangers.keySet());
    strangerSince.putAll(strangers);
    log(now);
    if (left > Claims.MAX_ENTRIES || grew(left)) {
      replaceFolder(now);
    }
  }

  private boolean grew(int entries) {
    long bytes = folder.toFile().length();
    return bytes >= GROWN_BYTES && bytes > entries * MOST_BYTES_AN_ENTRY;
  }

  private void replaceFolder(long now) {
    try {
      Optional<Path> old = replacement.replace(leases.standing());
      if (old.isPresent() && logs(OF_NO_UID, now)) {
        LOG.warn(
            "{} was full of what others than root cannot delete, so that its dir took no files."
                + " There is a new one in its place; as root, remove the old ones: {} and what is"
                + " called so beside it. Whose the entries are, ls -l tells. Not logged again for"
                + " ten minutes.",
            folder,
            old.get());
      }
    } catch (IOException e) {
      if (logs(OF_NO_UID, now)) {
        LOG.warn("Cannot replace {}, which is full of what cannot be deleted", folder, e);
      }
    }
  }

  /** Whether to say something of a user, which is not said again for a while. */
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
      int uid = ProcessTable.uidOf(root.resolve("usercache").resolve(application.getValue()));
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

  private boolean delete(Path claim, int uid, long bytes, long now) {
    Swept before = sweptOf.get(uid);
    try {
      if (before == null) {
        // Asked only of users who misbehave, and once.
        String user = Files.getOwner(claim, LinkOption.NOFOLLOW_LINKS).getName();
        before = Swept.of(uid, user, 0, 0, now);
      }
      Files.delete(claim);
    } catch (IOException e) {
      if (logs(uid, now)) {
        LOG.warn("Cannot delete {} of uid {}; as root, remove it", claim, uid, e);
      }
      return false;
    }
    if (sweptOf.size() < MOST_USERS || sweptOf.containsKey(uid)) {
      sweptOf.put(uid, before.plus(bytes, now));
    }
    return true;
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
