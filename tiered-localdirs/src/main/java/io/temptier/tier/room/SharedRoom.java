// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import io.temptier.tier.LocalDir;
import io.temptier.tier.TierLayout;
import io.temptier.tier.claim.Outstanding;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.MountTable;
import io.temptier.tier.os.TimedCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
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
 * The dirs that share their room with each other, and what is promised in all of them. With one dir
 * it is that dir's own claims. With many, all are read at once, and the sums serve each dir for
 * which they are young enough.
 *
 * <p>Two dirs share their room when the kernel numbers them as one device, and also when their
 * mounts have one source: the subvolumes of a btrfs are devices of their own to {@code stat(2)},
 * and so are the datasets of a ZFS pool. An overlay lies on what its upper folder lies on. In doubt
 * dirs are taken for one: that costs room where the doubt was wrong, and elsewhere bytes would be
 * promised twice. What no mount tells is not seen: thin volumes of one pool, loops over sparse
 * files, exports of one server.
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

  /** Finds the {@link #keys(Path, Optional)} of {@code dir} by the mounts as they are now. */
  public static Set<Object> keys(Path dir) {
    return keys(dir, MountTable.ofSelf());
  }

  /**
   * What dirs that share their room have in common: the device number of {@code stat(2)}, or the
   * source of the mount where all who share it have that. Waits for {@code dir}; empty for one that
   * does not answer, which shares its room with none, as far as is known.
   */
  private static Set<Object> keys(Path dir, Optional<MountTable> mounts) {
    try {
      Set<Object> keys = new HashSet<>();
      keys.add(Files.getAttribute(dir, "unix:dev"));
      Path real = dir.toRealPath();
      String source = mounts.isPresent() ? source(mounts.get(), real) : null;
      if (source != null) {
        keys.add(source);
      }
      return keys;
    } catch (IOException | RuntimeException e) {
      return Immutable.setOf();
    }
  }

  static @Nullable String source(MountTable mounts, Path real) {
    MountTable.Mount mount = mounts.below(real).orElse(null);
    if (mount == null) {
      return null;
    }
    if (mount.fsType().equals("zfs")) {
      return "zfs " + mount.source().split("/", 2)[0];
    }
    // Not a name such as "tmpfs", which mounts that share nothing have in common.
    boolean names = mount.source().startsWith("/") || mount.source().contains(":");
    return names ? mount.source() : null;
  }

  /** Puts dirs together that share their room, in the order given; waits for all of them. */
  public static List<List<LocalDir>> together(TierLayout layout) {
    Optional<MountTable> mounts = MountTable.ofSelf();
    Map<LocalDir, Set<Object>> all = new LinkedHashMap<>();
    layout.dirs().forEach(dir -> all.put(dir, keys(dir.path(), mounts)));
    return together(all);
  }

  /** Puts those together that share their room by their {@link #keys}, in the order given. */
  public static <T> List<List<T>> together(Map<T, Set<Object>> all) {
    List<List<T>> groups = new ArrayList<>();
    List<Set<Object>> keys = new ArrayList<>();
    for (Map.Entry<T, Set<Object>> each : all.entrySet()) {
      int index = groups.size();
      groups.add(new ArrayList<>(Immutable.listOf(each.getKey())));
      keys.add(new HashSet<>(each.getValue()));
      for (int i = index - 1; i >= 0; i--) {
        if (!Collections.disjoint(keys.get(i), keys.get(index))) {
          // What they had apart so far they have in common from here on.
          groups.get(i).addAll(groups.remove(index));
          keys.get(i).addAll(keys.remove(index));
          index = i;
        }
      }
    }
    return groups;
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
    private final Map<DirGauge, Set<Object>> keysOf = new LinkedHashMap<>();
    private volatile Map<DirGauge, SharedRoom> rooms = Immutable.mapOf();

    public Arrangement(List<DirGauge> gauges, Predicate<DirGauge> hangs) {
      this.hangs = hangs;
      unknown.addAll(gauges);
      for (DirGauge gauge : gauges) {
        keysOf.put(gauge, Immutable.setOf());
        gauge.among(this);
      }
      put(Immutable.mapOf());
    }

    SharedRoom of(DirGauge gauge) {
      List<DirGauge> dirs = new ArrayList<>(unknown);
      dirs.removeIf(hangs);
      if (!dirs.isEmpty()) {
        Optional<MountTable> mounts = MountTable.ofSelf();
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
      Map<DirGauge, Set<Object>> seen = new LinkedHashMap<>();
      for (DirGauge dir : dirs) {
        dir.makeIfMissing();
        seen.put(dir, keys(dir.disk(), mounts));
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
      put(Immutable.mapOf(gauge, keys(gauge.disk())));
    }

    private synchronized void put(Map<DirGauge, Set<Object>> seen) {
      keysOf.putAll(seen);
      Map<DirGauge, SharedRoom> arranged = new HashMap<>();
      for (List<DirGauge> group : together(keysOf)) {
        SharedRoom room = new SharedRoom(group);
        for (DirGauge gauge : group) {
          arranged.put(gauge, room);
        }
      }
      rooms = arranged;
      for (Map.Entry<DirGauge, Set<Object>> each : seen.entrySet()) {
        if (!each.getValue().isEmpty()) {
          unknown.remove(each.getKey());
        }
      }
    }
  }
}
