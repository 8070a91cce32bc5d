// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import io.temptier.tier.LocalDirsParser.Entry;
import io.temptier.tier.Medium;
import io.temptier.tier.kernel.KernelClassifier.Classification;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** The checks of local dirs that need the host: its kernel, disks, folders and memory. */
final class DirChecks {
  private static final String YARN_DIRS = YarnConfiguration.NM_LOCAL_DIRS;
  private static final String OUR_DIRS = TierKey.LOCAL_DIRS.key();
  private static final String MEMORY_KEY = YarnConfiguration.NM_PMEM_MB;
  private static final String RESERVED_KEY = YarnConfiguration.NM_SYSTEM_RESERVED_PMEM_MB;

  /** The part of the machine's memory that YARN takes where no size is configured. */
  private static final double YARNS_SHARE = 0.8;

  /** A configured dir and what the host says of it. */
  @AutoValue
  abstract static class NodeDir {
    /** The dir as placement will see it. */
    abstract LocalDir dir();

    /** What the kernel says it lies on. */
    abstract Classification kernel();

    /** Size of its file system; not positive when unknown. */
    abstract long totalBytes();

    static NodeDir of(LocalDir dir, Classification kernel, long totalBytes) {
      return new AutoValue_DirChecks_NodeDir(dir, kernel, totalBytes);
    }
  }

  private final ConfReader reader;

  DirChecks(ConfReader reader) {
    this.reader = reader;
  }

  /** Compares TempTier's list with YARN's, when there is one. */
  void compare(List<Entry> tagged, List<Entry> yarn) {
    Set<Path> unlisted =
        tagged.stream().map(Entry::path).collect(Collectors.toCollection(TreeSet::new));
    for (Entry entry : yarn) {
      if (!unlisted.remove(entry.path())) {
        reader.note("not listed", OUR_DIRS, entry.path().toString(), YARN_DIRS);
      }
    }
    unlisted.forEach(dir -> reader.note("not YARN's", OUR_DIRS, dir.toString(), YARN_DIRS));
  }

  /** Notes a tag that promises more than the kernel knows of. */
  void compareTag(Entry entry, Classification found) {
    Medium tag = entry.medium().orElse(found.medium());
    if (tag.compareTo(found.medium()) >= 0) {
      return;
    }
    reader.note(
        found.mountPoint().equals(Paths.get("/")) ? "tag on root" : "tag",
        OUR_DIRS,
        entry.path().toString(),
        tag,
        found.medium(),
        found.why());
  }

  /** A cap that can never bite. */
  void compareCap(NodeDir node) {
    LocalDir dir = node.dir();
    long totalBytes = node.totalBytes();
    if (dir.capped() && totalBytes > 0 && dir.capBytes() > totalBytes) {
      String cap = Sizes.format(dir.capBytes());
      reader.note("cap", OUR_DIRS, dir.toString(), cap, Sizes.format(totalBytes));
    }
  }

  /** Notes paths that exist and are no folder, and one folder under two names. */
  void checkFolders(Collection<Path> dirs) {
    Map<Object, Path> seen = new HashMap<>();
    for (Path dir : dirs) {
      BasicFileAttributes attributes;
      try {
        attributes = Files.readAttributes(dir, BasicFileAttributes.class);
      } catch (IOException | RuntimeException e) {
        // Not there yet, or broken: YARN makes it at start, or drops it with a message of its own.
        continue;
      }
      if (!attributes.isDirectory()) {
        reader.note("no folder", YARN_DIRS, dir.toString());
      } else if (attributes.fileKey() != null) {
        Path other = seen.putIfAbsent(attributes.fileKey(), dir);
        if (other != null) {
          reader.note("same folder", YARN_DIRS, dir.toString(), other);
        }
      }
    }
  }

  /** Puts dirs together that certainly lie on one file system, in the order given. */
  private static List<List<NodeDir>> byFileSystem(List<NodeDir> dirs) {
    List<List<NodeDir>> all = new ArrayList<>();
    for (NodeDir dir : dirs) {
      List<NodeDir> together =
          all.stream()
              .filter(others -> others.get(0).kernel().sharesFileSystem(dir.kernel()))
              .findFirst()
              .orElseGet(ArrayList::new);
      if (together.isEmpty()) {
        all.add(together);
      }
      together.add(dir);
    }
    return all;
  }

  /** Notes dirs that share a file system, or the disks below. */
  void checkSharing(List<NodeDir> dirs) {
    List<List<NodeDir>> groups = byFileSystem(dirs);
    for (int i = 0; i < groups.size(); i++) {
      List<NodeDir> together = groups.get(i);
      Classification kernel = together.get(0).kernel();
      List<NodeDir> neighbours = new ArrayList<>(together.subList(0, 1));
      groups.subList(i + 1, groups.size()).stream()
          .flatMap(List::stream)
          .filter(other -> other.kernel().disks().stream().anyMatch(kernel.disks()::contains))
          .forEach(neighbours::add);
      warnOfSharing(together, "lie on one file system (" + kernel.mountPoint() + ")");
      warnOfSharing(neighbours, "lie on file systems of the same disks " + kernel.disks());
    }
  }

  private void warnOfSharing(List<NodeDir> dirs, String what) {
    if (dirs.size() < 2) {
      return;
    }
    long media = dirs.stream().map(dir -> dir.dir().medium()).distinct().count();
    reader.note(
        "shared",
        reader.isSet(TierKey.LOCAL_DIRS) ? OUR_DIRS : YARN_DIRS,
        dirs.stream().map(dir -> dir.dir().toString()).collect(Collectors.joining(",")),
        what,
        media > 1 ? ", though they are in different tiers" : "");
  }

  /**
   * Counts what dirs in memory may hold against the memory of the node, a WARNING when more is
   * promised than there is: YARN gives its containers what it was told, and knows nothing of a
   * tmpfs.
   *
   * @param memoryBytes of the machine; empty when unknown
   */
  void checkMemory(List<NodeDir> dirs, OptionalLong memoryBytes) {
    long inDirs = bytesInDirs(dirs);
    if (inDirs == 0 || !memoryBytes.isPresent()) {
      return;
    }
    long memory = memoryBytes.getAsLong();
    String detects = YarnConfiguration.NM_ENABLE_HARDWARE_CAPABILITY_DETECTION;
    boolean detected =
        reader.number(MEMORY_KEY, -1) < 0 && reader.conf().getBoolean(detects, false);
    String key = detected ? RESERVED_KEY : MEMORY_KEY;
    long given = (long) reader.number(key, -1);
    long containers = (given < 0 ? YarnConfiguration.DEFAULT_NM_PMEM_MB : given) << 20;
    if (detected) {
      containers = given < 0 ? (long) (YARNS_SHARE * memory) : Math.max(0, memory - (given << 20));
    }
    reader.note(
        containers <= memory - inDirs ? "memory" : "memory short",
        key,
        reader.raw(key),
        Sizes.format(inDirs),
        Sizes.format(containers),
        Sizes.format(memory),
        detected
            ? "more than " + (inDirs >> 20)
            : "less than " + (Math.max(0, memory - inDirs) >> 20));
  }

  /** File systems count once, and no more than the caps of their dirs. */
  private static long bytesInDirs(List<NodeDir> dirs) {
    List<NodeDir> inMemory =
        dirs.stream()
            .filter(dir -> dir.kernel().medium() == Medium.RAM_DISK)
            .collect(Immutable.toList());
    long sum = 0;
    for (List<NodeDir> together : byFileSystem(inMemory)) {
      long size = Math.max(0, together.get(0).totalBytes());
      // Without a cap it is the largest number.
      sum +=
          Math.min(
              size, together.stream().mapToLong(dir -> Math.min(size, dir.dir().capBytes())).sum());
    }
    return sum;
  }
}
