// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room.capacity;

import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import io.temptier.tier.TierLayout;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.MountTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Storage that really holds the bytes of a dir. Two dirs share their room when the kernel numbers
 * them as one device, and also when their mounts have one source: the subvolumes of a btrfs are
 * devices of their own to {@code stat(2)}, and so are the datasets of a ZFS pool. An overlay lies
 * on what its upper folder lies on.
 *
 * <p>In doubt dirs are taken for one: that costs room where the doubt was wrong, and elsewhere
 * bytes would be promised twice. What no mount tells is not seen: thin volumes of one pool, loops
 * over sparse files, exports of one server.
 */
@AutoValue
public abstract class StorageIdentity {
  /** Identity of a dir that does not answer: shared with none, as far as is known. */
  public static final StorageIdentity UNKNOWN = of(Immutable.setOf());

  /** An overlay on an overlay ... ends somewhere. */
  private static final int MAX_DEPTH = 8;

  private static final Set<String> OVERLAYS = Immutable.setOf("overlay", "overlayfs");

  /** Device number of {@code stat(2)}, and the mount's source where all who share it have that. */
  abstract Set<Object> keys();

  static StorageIdentity of(Set<Object> keys) {
    return new AutoValue_StorageIdentity(Immutable.copyOf(keys));
  }

  /** Finds the storage of {@code dir}, which is waited for. */
  public static StorageIdentity of(Path dir) {
    return of(dir, mounts());
  }

  public static StorageIdentity of(Path dir, Optional<MountTable> mounts) {
    try {
      Set<Object> keys = new HashSet<>();
      keys.add(Files.getAttribute(dir, "unix:dev"));
      Path real = dir.toRealPath();
      String source = mounts.isPresent() ? source(mounts.get(), real) : null;
      if (source != null) {
        keys.add(source);
      }
      return of(keys);
    } catch (IOException | RuntimeException e) {
      return UNKNOWN;
    }
  }

  /** Reads the mounts; empty where the kernel does not tell. */
  public static Optional<MountTable> mounts() {
    try {
      return Optional.of(MountTable.read(Paths.get("/proc/self/mountinfo")));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The mount that a path really lies on: for an overlay that of its upper folder. */
  static Optional<MountTable.Mount> below(MountTable mounts, Path real) {
    Optional<MountTable.Mount> mount = mounts.of(real);
    for (int depth = 0; depth < MAX_DEPTH; depth++) {
      if (!mount.isPresent() || !OVERLAYS.contains(mount.get().fsType())) {
        return mount;
      }
      mount = mount.get().option("upperdir").flatMap(upper -> mounts.of(Paths.get(upper)));
    }
    return Optional.empty();
  }

  static @Nullable String source(MountTable mounts, Path real) {
    MountTable.Mount mount = below(mounts, real).orElse(null);
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
    Optional<MountTable> mounts = mounts();
    Map<LocalDir, StorageIdentity> identities = new LinkedHashMap<>();
    layout.dirs().forEach(dir -> identities.put(dir, of(dir.path(), mounts)));
    return together(identities);
  }

  /** Puts those together that share their room, in the order given. */
  public static <T> List<List<T>> together(Map<T, StorageIdentity> all) {
    List<List<T>> groups = new ArrayList<>();
    List<Set<Object>> keys = new ArrayList<>();
    for (Map.Entry<T, StorageIdentity> each : all.entrySet()) {
      int index = groups.size();
      groups.add(new ArrayList<>(Immutable.listOf(each.getKey())));
      keys.add(new HashSet<>(each.getValue().keys()));
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
}
