// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import io.temptier.tier.LocalDirsParser;
import io.temptier.tier.LocalDirsParser.Entry;
import io.temptier.tier.Medium;
import io.temptier.tier.TierLayout;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.kernel.KernelClassifier.Classification;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.MountPin;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.util.StringUtils;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** The checks of local dirs that need the host: its kernel, disks, folders and memory. */
final class DirChecks {
  private static final String YARN_DIRS = YarnConfiguration.NM_LOCAL_DIRS;
  private static final String OUR_DIRS = TierKey.LOCAL_DIRS.key();
  private static final String MEMORY_KEY = YarnConfiguration.NM_PMEM_MB;

  /** The part of the machine's memory that YARN takes where no size is configured. */
  private static final double YARNS_SHARE = 0.8;

  @AutoValue
  abstract static class NodeDir {
    abstract LocalDir dir();

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

  /**
   * The dirs as placement is to see them. What fills one tier first sends every container to a dir
   * of it, where stock Hadoop sends one in as many as there are dirs: a fast dir that harms who
   * uses it counts to the slowest tier, unless the operator means it.
   *
   * @param order of the media, fastest first
   * @param unfit gets the dirs that do harm
   */
  List<NodeDir> fit(
      List<NodeDir> dirs, KernelClassifier here, Comparator<Medium> order, Set<Path> unfit) {
    boolean mounted =
        dirs.stream()
            .map(NodeDir::kernel)
            .anyMatch(found -> !onRoot(found) && found.medium() != Medium.RAM_DISK);
    Medium slowest = dirs.stream().map(dir -> dir.dir().medium()).max(order).orElse(Medium.DISK);
    List<NodeDir> all = new ArrayList<>();
    for (NodeDir node : dirs) {
      Medium counts = Collections.max(Immutable.listOf(slowest, node.kernel().medium()), order);
      boolean fast = order.compare(node.dir().medium(), counts) < 0;
      String harm = accepted(node.dir()) ? "" : harm(node, here, fast, fast && mounted);
      if (harm.isEmpty() || everywhere(harm, dirs, here)) {
        compareTag(node.dir(), node.kernel());
        all.add(node);
      } else {
        LocalDir dir = node.dir();
        Path mount = node.kernel().mountPoint();
        Path place = harm.equals("closed") ? closed(dir.path()).orElse(mount) : mount;
        String path = dir.path().toString();
        reader.note(harm, listKey(), path, dir.medium(), place, counts, TierKey.ACCEPT);
        unfit.add(dir.path());
        String origin = harm + ", so it counts as slow; " + dir.origin();
        dir = LocalDir.of(dir.path(), counts, dir.capBytes(), origin);
        all.add(NodeDir.of(dir, node.kernel(), node.totalBytes()));
      }
    }
    return all;
  }

  /** True if no dir is better: another order would help nobody. */
  private static boolean everywhere(String harm, List<NodeDir> dirs, KernelClassifier here) {
    return harm.equals("noexec")
        && dirs.stream().allMatch(node -> here.mountOptions(node.dir().path()).contains("noexec"));
  }

  private boolean accepted(LocalDir dir) {
    return reader.accepted().contains(dir.path().toString());
  }

  /** The name of what a dir does to those who use it; empty where that is nothing. */
  private String harm(NodeDir node, KernelClassifier here, boolean fast, boolean others) {
    Path dir = node.dir().path();
    if (others && onRoot(node.kernel()) && !node.dir().medium().slow()) {
      return "unmounted";
    }
    if (fast && here.mountOptions(dir).contains("noexec")) {
      return "noexec";
    }
    // It fails those who use it on the slowest tier, too.
    return closed(dir).isPresent() ? "closed" : "";
  }

  /** The folder, the dir or one above it, that keeps users out of the dir where they must enter. */
  private Optional<Path> closed(Path dir) {
    if (!reader.raw(YarnConfiguration.NM_CONTAINER_EXECUTOR).endsWith("LinuxContainerExecutor")) {
      return Optional.empty();
    }
    for (Path folder = MountPin.existing(dir); folder != null; folder = folder.getParent()) {
      try {
        if (Collections.disjoint(
            Files.getPosixFilePermissions(folder), PosixFilePermissions.fromString("-----x--x"))) {
          return Optional.of(folder);
        }
      } catch (IOException | RuntimeException e) {
        // Not to be looked at: those above are.
      }
    }
    return Optional.empty();
  }

  /** Notes a dir that is filled before a faster one, as the kernel knows. */
  void checkOrder(List<NodeDir> dirs, Comparator<Medium> order) {
    for (NodeDir first : dirs) {
      dirs.stream()
          .filter(later -> order.compare(first.dir().medium(), later.dir().medium()) < 0)
          .filter(later -> !later.kernel().medium().slow())
          .filter(node -> !first.kernel().disks().isEmpty() && !accepted(first.dir()))
          .filter(node -> first.kernel().medium().slow())
          .findFirst()
          .ifPresent(later -> noteReversed(first, later));
    }
  }

  private void noteReversed(NodeDir first, NodeDir later) {
    boolean byTags = first.dir().medium().compareTo(later.dir().medium()) < 0;
    // For RAID and LUNs the kernel repeats what a controller says: only NVMe is beyond doubt.
    boolean certain = later.kernel().medium().compareTo(Medium.NVME) <= 0;
    reader.note(
        certain ? "reversed" : "reversed perhaps",
        (byTags ? TierKey.LOCAL_DIRS : TierKey.TIER_ORDER).key(),
        byTags ? first.dir().path().toString() : reader.value(TierKey.TIER_ORDER),
        first.dir().path(),
        later.dir().path(),
        first.kernel().medium(),
        first.kernel().why(),
        later.kernel().medium(),
        TierKey.ACCEPT);
  }

  /** Notes a tag on the other side of disks than what the kernel knows of. */
  private void compareTag(LocalDir dir, Classification found) {
    Medium tag = dir.medium();
    if (tag == found.medium()) {
      return;
    }
    boolean faster = tag.compareTo(found.medium()) < 0;
    boolean across = tag.slow() != found.medium().slow();
    boolean odd = across || found.medium() == Medium.RAM_DISK;
    if (faster || odd) {
      reader.note(
          faster && onRoot(found) ? "tag on root" : odd && known(found) ? "tag" : "tag near",
          OUR_DIRS,
          dir.path().toString(),
          tag,
          found.medium(),
          found.why());
    }
  }

  private static boolean onRoot(Classification found) {
    return found.mountPoint().equals(Paths.get("/"));
  }

  /** True if the medium is more than a guess that it is a disk. */
  private static boolean known(Classification found) {
    return found.medium() != Medium.DISK || !found.disks().isEmpty();
  }

  private String listKey() {
    return reader.isSet(TierKey.LOCAL_DIRS) ? OUR_DIRS : YARN_DIRS;
  }

  /** Notes YARN's own folders on a fast tier's file system, unless the slowest has it, too. */
  void checkNeighbours(List<NodeDir> dirs, KernelClassifier here, TierLayout layout) {
    List<String> keys = new ArrayList<>(Immutable.listOf(YarnConfiguration.NM_LOG_DIRS));
    if (reader.conf().getBoolean(YarnConfiguration.NM_RECOVERY_ENABLED, false)) {
      keys.add(YarnConfiguration.NM_RECOVERY_DIR);
    }
    for (String key : keys) {
      for (String text : StringUtils.getTrimmedStrings(reader.raw(key))) {
        LocalDirsParser.pathOf(text)
            .map(here::classify)
            .flatMap(
                found ->
                    dirs.stream()
                        .filter(dir -> dir.kernel().sharesFileSystem(found))
                        .max(Comparator.comparing(dir -> layout.isSlowest(dir.dir()))))
            .map(NodeDir::dir)
            .filter(dir -> !layout.isSlowest(dir))
            .ifPresent(dir -> reader.note("beside", key, text, dir.path(), dir.medium()));
      }
    }
  }

  /** A cap that can never bite. */
  void compareCap(NodeDir node) {
    LocalDir dir = node.dir();
    long totalBytes = node.totalBytes();
    if (dir.capped() && totalBytes > 0 && dir.capBytes() > totalBytes) {
      String cap = Sizes.format(dir.capBytes());
      reader.note("cap", OUR_DIRS, dir.path().toString(), cap, Sizes.format(totalBytes));
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
    Set<NodeDir> reported = new HashSet<>();
    for (int i = 0; i < groups.size(); i++) {
      List<NodeDir> together = groups.get(i);
      Classification kernel = together.get(0).kernel();
      List<NodeDir> neighbours = new ArrayList<>(together.subList(0, 1));
      groups.subList(i + 1, groups.size()).stream()
          .flatMap(List::stream)
          .filter(other -> other.kernel().disks().stream().anyMatch(kernel.disks()::contains))
          .forEach(neighbours::add);
      warnOfSharing(together, "lie on one file system (" + kernel.mountPoint() + ")");
      // The first dir of a disk reports the others with it.
      if (reported.addAll(neighbours)) {
        warnOfSharing(neighbours, "lie on file systems of the same disks " + kernel.disks());
      }
    }
  }

  private void warnOfSharing(List<NodeDir> dirs, String what) {
    if (dirs.size() < 2) {
      return;
    }
    long media = dirs.stream().map(dir -> dir.dir().medium()).distinct().count();
    reader.note(
        "shared",
        listKey(),
        dirs.stream().map(dir -> dir.dir().path() + "").collect(Collectors.joining(",")),
        what,
        media > 1 ? ", though they are in different tiers" : "");
  }

  /**
   * Notes that more memory is promised than there is: YARN gives its containers what it was told,
   * and knows nothing of a tmpfs.
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
    String key = detected ? YarnConfiguration.NM_SYSTEM_RESERVED_PMEM_MB : MEMORY_KEY;
    long given = (long) reader.number(key, -1);
    long containers = (given < 0 ? YarnConfiguration.DEFAULT_NM_PMEM_MB : given) << 20;
    if (detected) {
      containers = given < 0 ? (long) (YARNS_SHARE * memory) : Math.max(0, memory - (given << 20));
    }
    if (containers > memory - inDirs) {
      reader.note(
          "memory short",
          key,
          reader.raw(key),
          Sizes.format(inDirs),
          Sizes.format(containers),
          Sizes.format(memory),
          memory <= inDirs
              ? "G"
              : String.format(
                  "Set it to %s than %d, or g",
                  detected ? "more" : "less", (detected ? inDirs : memory - inDirs) >> 20));
    }
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
