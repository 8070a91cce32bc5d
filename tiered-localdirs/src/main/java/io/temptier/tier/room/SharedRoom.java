// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import io.temptier.tier.claim.Outstanding;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.MountTable;
import io.temptier.tier.os.thread.TimedCalls;
import io.temptier.tier.room.capacity.StorageIdentity;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The dirs that share their room with each other ({@link StorageIdentity}), and what is promised in
 * all of them. With one dir it is that dir's own claims. With many, all are read at once, and the
 * sums serve each dir for which they are young enough.
 *
 * <p>Safe for use by many threads. Reading waits for the dirs, which share a disk and hang
 * together; other threads do not wait for the one that reads.
 */
public final class SharedRoom {
  private static final class Sums {
    final Map<DirGauge, Outstanding> ofDirs = new HashMap<>();
    final long nanos;

    Sums(long nanos) {
      this.nanos = nanos;
    }
  }

  private final List<DirGauge> members;
  private volatile @Nullable Sums last;

  private SharedRoom(List<DirGauge> members) {
    this.members = Immutable.copyOf(members);
  }

  /**
   * Sums what every process was promised in all the dirs: the claims in {@code me}, which were read
   * already, and those in the others, which must have been read after {@code sinceNanos}.
   */
  Outstanding promised(
      DirGauge me, Outstanding ownClaims, long totalBytes, long sinceNanos, long nowNanos) {
    if (members.size() == 1) {
      return ownClaims;
    }
    Sums sums = last;
    if (sums == null || sums.nanos - sinceNanos <= 0) {
      sums = new Sums(nowNanos);
      for (DirGauge member : members) {
        sums.ofDirs.put(member, member == me ? ownClaims : member.claimed(totalBytes));
      }
      last = sums;
    }
    Outstanding promised = ownClaims;
    for (DirGauge member : members) {
      Outstanding others = sums.ofDirs.get(member);
      if (member != me && others != null) {
        promised = promised.and(others, totalBytes);
      }
    }
    return promised;
  }

  /**
   * Groups of a layout's dirs that share their room. A dir that is said to hang is not looked at,
   * and none is waited for longer than {@link #PATIENCE}: until it answers it shares its room with
   * none. Safe for use by many threads.
   */
  public static final class Arrangement {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final TimedCalls LOOKS = new TimedCalls("TempTier storage", 1);

    private final Predicate<DirGauge> hangs;
    private final Set<DirGauge> unknown = ConcurrentHashMap.newKeySet();
    // Guarded by this.
    private final Map<DirGauge, StorageIdentity> identities = new LinkedHashMap<>();
    private volatile Map<DirGauge, SharedRoom> rooms = Immutable.mapOf();

    public Arrangement(List<DirGauge> gauges, Predicate<DirGauge> hangs) {
      this.hangs = hangs;
      unknown.addAll(gauges);
      for (DirGauge gauge : gauges) {
        identities.put(gauge, StorageIdentity.UNKNOWN);
        gauge.among(this);
      }
      put(Immutable.mapOf());
    }

    SharedRoom of(DirGauge gauge) {
      List<DirGauge> dirs = new ArrayList<>(unknown);
      dirs.removeIf(hangs);
      if (!dirs.isEmpty()) {
        Optional<MountTable> mounts = StorageIdentity.mounts();
        // Together, as each call has another thread at work; unless one does not answer.
        if (!look(this, dirs, mounts)) {
          dirs.forEach(dir -> look(dir.dir().path(), Immutable.listOf(dir), mounts));
        }
      }
      return Objects.requireNonNull(rooms.get(gauge));
    }

    /** False when one does not answer in time; the next reading asks again. */
    private boolean look(Object key, List<DirGauge> dirs, Optional<MountTable> mounts) {
      try {
        return LOOKS.call(key, PATIENCE, () -> lookAt(dirs, mounts));
      } catch (IOException e) {
        return false;
      }
    }

    private boolean lookAt(List<DirGauge> dirs, Optional<MountTable> mounts) throws IOException {
      Map<DirGauge, StorageIdentity> seen = new LinkedHashMap<>();
      for (DirGauge dir : dirs) {
        dir.makeIfMissing();
        seen.put(dir, StorageIdentity.of(dir.disk(), mounts));
      }
      synchronized (this) {
        // One of them may have kept this thread for long: what was found out meanwhile is newer.
        seen.keySet().retainAll(unknown);
        put(seen);
      }
      return true;
    }

    /** Something else is mounted where {@code gauge} lies. */
    void changed(DirGauge gauge) {
      put(Immutable.mapOf(gauge, StorageIdentity.of(gauge.disk())));
    }

    private synchronized void put(Map<DirGauge, StorageIdentity> seen) {
      identities.putAll(seen);
      Map<DirGauge, SharedRoom> arranged = new HashMap<>();
      for (List<DirGauge> group : StorageIdentity.together(identities)) {
        SharedRoom room = new SharedRoom(group);
        for (DirGauge gauge : group) {
          arranged.put(gauge, room);
        }
      }
      rooms = arranged;
      for (Map.Entry<DirGauge, StorageIdentity> each : seen.entrySet()) {
        if (!each.getValue().equals(StorageIdentity.UNKNOWN)) {
          unknown.remove(each.getKey());
        }
      }
    }
  }
}
