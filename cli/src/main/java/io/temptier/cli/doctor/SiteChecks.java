// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.cli.doctor.NodeManagerChecks.PluginClass;
import io.temptier.hadoop.conf.TierKey;
import io.temptier.tier.LocalDir;
import io.temptier.tier.LocalDirsParser;
import io.temptier.tier.Medium;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.os.MountPin;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Checks the site files themselves and the local dirs in them: tiers, room for S3A's upload
 * buffers, and whether the dirs are on this machine.
 */
public final class SiteChecks {
  /** Hadoop's scripts start the NodeManager as this user alone. */
  private static final String NODE_MANAGERS_USER = "YARN_NODEMANAGER_USER";

  /** Property: dirs where S3A's output streams collect the blocks that they upload. */
  public static final String BUFFER_DIR = "fs.s3a.buffer.dir";

  /** Property: whether blocks are collected on disk or in memory. */
  public static final String BUFFER = "fs.s3a.fast.upload.buffer";

  private SiteChecks() {}

  static void absentFiles(Rollout rollout, Consumer<Finding> found) {
    absent(rollout, Rollout.YARN_SITE, "NodeManagers", "YARN", found);
    absent(rollout, Rollout.MAPRED_SITE, "Jobs", "MapReduce", found);
  }

  private static void absent(
      Rollout rollout, String file, String readers, String what, Consumer<Finding> found) {
    if (!rollout.file(file).isPresent()) {
      found.accept(Troubles.of("file.absent", file, "missing", "the folder", readers, what));
    }
  }

  /** Properties that another line, another file or {@code final} overrides, and that are empty. */
  static void conflicts(Rollout rollout, Consumer<Finding> found) {
    for (LocatedProperties file : rollout.files()) {
      file.entries.stream()
          .filter(entry -> matters(entry.key))
          .forEach(entry -> conflict(rollout, file, entry, found));
    }
  }

  private static boolean matters(String key) {
    return key.startsWith(TierKey.PREFIX)
        || Arrays.stream(PluginClass.values()).anyMatch(each -> each.key.equals(key))
        || key.startsWith("yarn.nodemanager.disk-health-checker.")
        || key.equals(YarnConfiguration.NM_LOCAL_DIRS)
        || key.equals(YarnConfiguration.YARN_APPLICATION_CLASSPATH)
        || key.equals(MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH);
  }

  private static void conflict(
      Rollout rollout,
      LocatedProperties file,
      LocatedProperties.Entry entry,
      Consumer<Finding> found) {
    String key = entry.key;
    String value = entry.value;
    String origin = file.name() + ", line " + entry.line;
    boolean ofNode = file.name().matches("(core|yarn)-site.xml");
    Configuration conf = ofNode ? rollout.node() : rollout.job();
    String winner = conf.getRaw(key);
    if (value == null) {
      found.accept(Troubles.of("property.empty", key, "", origin));
    } else if (!ofNode && key.startsWith(TierKey.PREFIX)) {
      found.accept(Troubles.of("property.jobs", key, value, origin, value, file.name()));
    } else if (winner != null && !winner.trim().equals(value)) {
      String why = conf.getFinalParameters().contains(key) ? "final" : "read later";
      String winnerOrigin = rollout.origin(conf, key);
      found.accept(
          Troubles.of("property.lost", key, value, origin, winnerOrigin, winner.trim(), why));
    } else if (key.matches(".*-(percentage|mb)") && value.matches("[\\d.]*[^\\d.f$].*")) {
      found.accept(Troubles.of("property.number", key, value, origin));
    } else if (value.contains("${env.") || value.contains("${user.")) {
      found.accept(Troubles.of("property.variable", key, value, origin, conf.get(key)));
    }
  }

  /** Reports what TempTier itself will say when the NodeManager starts. */
  static void tiers(Rollout rollout, Consumer<Finding> found) {
    Set<String> unfit =
        rollout.tiers().unfit().stream().map(Path::toString).collect(Collectors.toSet());
    for (Finding finding : rollout.tiers().findings()) {
      // The node goes on with such a dir as a slow one, and nobody meant that.
      boolean worse = finding.severity() == Severity.WARNING && unfit.contains(finding.value());
      found.accept(rollout.located(finding, worse ? Severity.ERROR : finding.severity()));
    }
  }

  /**
   * Reports where S3A, which reads {@code conf}, will buffer what it uploads.
   *
   * <p>By default that is in the container's local dirs, where TempTier chooses the fastest tier
   * with room, and which are deleted with the container. A fixed dir takes the buffers out of the
   * tiers: they may fall on a slow disk, and nobody deletes what a killed task leaves there.
   */
  public static void uploadBuffers(Rollout rollout, Configuration conf, Consumer<Finding> found) {
    Optional<TierLayout> layout = rollout.tiers().tiers().map(NodeTiers::layout);
    String raw = conf.getRaw(BUFFER_DIR);
    if (layout.isPresent()
        && raw != null
        && !raw.contains("${env.LOCAL_DIRS")
        && usesS3a(rollout, conf)
        && !conf.getTrimmed(BUFFER, "disk").matches("(?i)array|bytebuffer")) {
      Arrays.stream(conf.getTrimmedStrings(BUFFER_DIR))
          .filter(dir -> !dir.isEmpty())
          .forEach(dir -> found.accept(uploadBuffer(rollout, raw, dir, layout.get())));
    }
  }

  private static boolean usesS3a(Rollout rollout, Configuration conf) {
    return conf.get("fs.defaultFS", "").startsWith("s3a:")
        || conf.getPropsWithPrefix("fs.s3a.").keySet().stream()
            .anyMatch(key -> rollout.isSet(conf, "fs.s3a." + key));
  }

  private static Finding uploadBuffer(Rollout rollout, String raw, String dir, TierLayout layout) {
    Configuration job = rollout.job();
    String origin = rollout.isSet(job, BUFFER_DIR) ? rollout.origin(job, BUFFER_DIR) : "default";
    Optional<Path> path = LocalDirsParser.pathOf(dir);
    if (!path.isPresent()) {
      return Troubles.of("buffers.relative", BUFFER_DIR, raw, origin, dir);
    }
    Optional<LocalDir> root = layout.dirOf(path.get());
    if (root.isPresent()) {
      Medium medium = root.get().medium();
      return Troubles.of("buffers.kept", BUFFER_DIR, raw, origin, dir, medium, root.get().path());
    }
    Medium medium = rollout.kernel().classify(path.get()).medium();
    Medium fastest = layout.tiers().get(0).medium();
    String trouble = medium.compareTo(fastest) > 0 ? "buffers.slow" : "buffers.outside";
    return Troubles.of(trouble, BUFFER_DIR, raw, origin, dir, medium, fastest);
  }

  /** Checks that this machine has the dirs: if not, it cannot judge their media. */
  static void absentDirs(Rollout rollout, Consumer<Finding> found) {
    List<LocalDir> dirs = rollout.dirs();
    Map<Path, Medium> others = new HashMap<>();
    dirs.stream()
        .filter(dir -> Files.isDirectory(dir.path()))
        .forEach(dir -> others.put(mount(rollout, dir), dir.medium()));
    if (others.isEmpty() && !dirs.isEmpty()) {
      found.accept(about(rollout, dirs, "dirs.elsewhere"));
      return;
    }
    for (LocalDir dir : dirs) {
      Path mount = mount(rollout, dir);
      // YARN makes it beside another of its medium. What is something else is told of where it is
      // asked who may write to it.
      boolean beside = !onRoot(mount) && dir.medium() == others.get(mount);
      if (!Files.exists(dir.path())
          && (onRoot(mount) || others.containsKey(mount))
          && !beside
          && !rollout.tiers().unfit().contains(dir.path())) {
        List<LocalDir> one = Immutable.listOf(dir);
        found.accept(about(rollout, one, "dir.absent", mount, dir.medium()));
      }
    }
  }

  private static boolean onRoot(Path mount) {
    return mount.equals(Paths.get("/"));
  }

  private static Path mount(Rollout rollout, LocalDir dir) {
    return rollout.kernel().classify(dir.path()).mountPoint();
  }

  static void writable(Rollout rollout, Consumer<Finding> found) {
    for (LocalDir dir : rollout.dirs()) {
      String why = notWritable(dir.path());
      if (!why.isEmpty()) {
        found.accept(about(rollout, Immutable.listOf(dir), "dir.closed", why));
      }
    }
  }

  private static String notWritable(Path dir) {
    if (Files.exists(dir) && !Files.isDirectory(dir)) {
      return "It is no folder.";
    }
    try {
      Set<PosixFilePermission> modes = Files.getPosixFilePermissions(dir);
      if (!modes.containsAll(PosixFilePermissions.fromString("rwx------"))) {
        return String.format(
            "Its owner may not write to it (mode %s).", PosixFilePermissions.toString(modes));
      }
      return Files.getFileStore(dir).isReadOnly() ? "Its file system is mounted read-only." : "";
    } catch (IOException | UnsupportedOperationException e) {
      // Not here, or not to be looked at by this user.
      return "";
    }
  }

  /** Checks that one user, as whom the NodeManager runs, may write to all dirs that are here. */
  static void owners(Rollout rollout, Consumer<Finding> found) {
    Map<String, List<LocalDir>> byOwner = new TreeMap<>();
    for (LocalDir dir : rollout.dirs()) {
      try {
        // YARN makes a dir that is missing on its own mount; others are told of as absent.
        Path folder = MountPin.existing(dir.path());
        if (rollout.isHere()
            && folder.getParent() != null
            && Files.isDirectory(folder)
            && Collections.disjoint(
                Files.getPosixFilePermissions(folder),
                PosixFilePermissions.fromString("----w--w-"))) {
          String owner = Files.getOwner(folder).getName();
          byOwner.computeIfAbsent(owner, key -> new ArrayList<>()).add(dir);
        }
      } catch (IOException | UnsupportedOperationException e) {
        // Not here, or not to be looked at by this user.
      }
    }
    Optional<String> user = rollout.scripts().value(NODE_MANAGERS_USER);
    user.ifPresent(byOwner::remove);
    boolean known = user.isPresent();
    boolean roots = byOwner.keySet().equals(Immutable.setOf("root"));
    String trouble = known ? "dirs.owner" : roots ? "dirs.root" : "dirs.owners";
    if ((known || roots || byOwner.size() > 1) && !user.equals(Optional.of("root"))) {
      byOwner.forEach(
          (owner, dirs) -> found.accept(about(rollout, dirs, trouble, owner, user.orElse(""))));
    }
  }

  /** Checks that a faster tier, once empty, has a dir with room for what may become large. */
  static void room(Rollout rollout, Consumer<Finding> found) {
    Optional<NodeTiers> tiers = rollout.tiers().tiers();
    if (tiers.isPresent()) {
      long large = tiers.get().settings().largeSizeBytes();
      List<Tier> all = tiers.get().layout().tiers();
      Medium last = all.get(all.size() - 1).medium();
      for (Tier tier : all.subList(0, all.size() - 1)) {
        // A cap of 0 is how a tier is switched off.
        if (tier.dirs().stream().allMatch(dir -> mostBytes(tier, dir) < large)
            && tier.dirs().stream().anyMatch(dir -> dir.capBytes() > 0)) {
          String key = TierKey.LOCAL_DIRS.key();
          found.accept(rollout.ofNode("dirs.small", key, tier.medium(), Sizes.format(large), last));
        }
      }
    }
  }

  /** Returns the bytes that TempTier's files may take of a dir, as far as this machine can tell. */
  private static long mostBytes(Tier tier, LocalDir dir) {
    try {
      long total = Files.getFileStore(dir.path()).getTotalSpace();
      return Math.min(dir.capBytes(), total - tier.reserve().bytesOf(total));
    } catch (IOException e) {
      return dir.capBytes();
    }
  }

  private static Finding about(
      Rollout rollout, List<LocalDir> dirs, String trouble, Object... values) {
    String key = YarnConfiguration.NM_LOCAL_DIRS;
    String paths = dirs.stream().map(dir -> dir.path().toString()).collect(Collectors.joining(","));
    return Troubles.of(trouble, key, paths, rollout.origin(rollout.node(), key), values);
  }
}
