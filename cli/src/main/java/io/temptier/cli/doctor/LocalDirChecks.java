// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.hadoop.conf.TierKey;
import io.temptier.s3a.UploadBufferDirCheck;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Tier;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.settings.NodeTiers;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** What the local dirs make: tiers, room for S3A's upload buffers, and whether they are here. */
public final class LocalDirChecks {
  /** Hadoop's scripts start the NodeManager as this user alone. */
  private static final String NODE_MANAGERS_USER = "YARN_NODEMANAGER_USER";

  private LocalDirChecks() {}

  /** What TempTier itself will say when the NodeManager starts. */
  static List<Finding> tiers(Rollout rollout) {
    return rollout.tiers().findings().stream()
        .map(finding -> rollout.located(rollout.node(), finding))
        .collect(Immutable.toList());
  }

  /** Where S3A, which reads {@code conf}, will buffer what it uploads. */
  public static List<Finding> uploadBuffers(Rollout rollout, Configuration conf) {
    Optional<NodeTiers> tiers = rollout.tiers().tiers();
    if (!tiers.isPresent()) {
      return Immutable.listOf();
    }
    return UploadBufferDirCheck.check(
            conf, tiers.get().layout(), dir -> rollout.kernel().classify(dir).medium())
        .stream()
        .map(finding -> rollout.located(rollout.job(), finding))
        .collect(Immutable.toList());
  }

  /** Whether this machine has the dirs: if not, it cannot judge their media. */
  static List<Finding> missing(Rollout rollout) {
    List<LocalDir> dirs = dirs(rollout);
    List<LocalDir> missing =
        dirs.stream().filter(dir -> !Files.isDirectory(dir.path())).collect(Immutable.toList());
    if (missing.isEmpty()) {
      return Immutable.listOf();
    }
    if (missing.size() == dirs.size()) {
      return Immutable.listOf(
          about(
              rollout,
              Severity.INFO,
              missing,
              "None of the local dirs is on this machine, so it is not the node: media, sizes and"
                  + " caps were not checked against disks, and dirs without a tag count as DISK.",
              "Run the doctor once more on a node."));
    }
    Set<Path> others = new HashSet<>(Immutable.setOf(Paths.get("/")));
    dirs.stream()
        .filter(dir -> !missing.contains(dir))
        .forEach(dir -> others.add(rollout.kernel().classify(dir.path()).mountPoint()));
    List<Finding> findings = new ArrayList<>();
    for (LocalDir dir : missing) {
      if (isNoFolder(dir.path())) {
        // Another check says so.
        continue;
      }
      Path mount = rollout.kernel().classify(dir.path()).mountPoint();
      if (others.contains(mount)) {
        findings.add(
            about(
                rollout,
                Severity.ERROR,
                Immutable.listOf(dir),
                "It is not there. A NodeManager would make it on the file system of "
                    + mount
                    + ", and take that for "
                    + dir.medium()
                    + ".",
                "Mount its disk, or take the dir out of the lists."));
      }
    }
    return findings;
  }

  /** Whether somebody may write to the dirs that are here. */
  static List<Finding> writable(Rollout rollout) {
    List<Finding> findings = new ArrayList<>();
    for (LocalDir dir : dirs(rollout)) {
      String why = notWritable(dir.path());
      if (!why.isEmpty()) {
        findings.add(
            about(
                rollout,
                Severity.ERROR,
                Immutable.listOf(dir),
                why + " YARN drops the dir when it starts, and TempTier loses its room.",
                "Make it a folder of the NodeManager's user, with mode 755, on a file system that"
                    + " is mounted rw."));
      }
    }
    return findings;
  }

  /** Whether one user, as whom the NodeManager runs, may write to all dirs that are here. */
  static List<Finding> owners(Rollout rollout) {
    Map<String, List<LocalDir>> byOwner = new TreeMap<>();
    for (LocalDir dir : dirs(rollout)) {
      ownerWhoAloneWrites(dir.path())
          .ifPresent(owner -> byOwner.computeIfAbsent(owner, o -> new ArrayList<>()).add(dir));
    }
    Optional<String> user = rollout.scripts().value(NODE_MANAGERS_USER);
    user.ifPresent(byOwner::remove);
    boolean known = user.isPresent();
    if (byOwner.size() < (known ? 1 : 2) || user.equals(Optional.of("root"))) {
      return Immutable.listOf();
    }
    List<Finding> findings = new ArrayList<>();
    byOwner.forEach(
        (owner, dirs) ->
            findings.add(
                about(
                    rollout,
                    known ? Severity.ERROR : Severity.UNKNOWN,
                    dirs,
                    String.format(
                        "Only its owner, %s, may write to it%s. YARN drops a dir that the"
                            + " NodeManager's user may not write to.",
                        owner,
                        known
                            ? ", and the NodeManager's user is "
                                + user.get()
                                + " ("
                                + NODE_MANAGERS_USER
                                + ")"
                            : ", and other local dirs belong to another user"),
                    "Give all local dirs to the NodeManager's user.")));
    return findings;
  }

  private static Optional<String> ownerWhoAloneWrites(Path dir) {
    try {
      Set<PosixFilePermission> modes = Files.getPosixFilePermissions(dir);
      return modes.contains(PosixFilePermission.GROUP_WRITE)
              || modes.contains(PosixFilePermission.OTHERS_WRITE)
          ? Optional.empty()
          : Optional.of(Files.getOwner(dir).getName());
    } catch (IOException | UnsupportedOperationException e) {
      // Not here, or not to be looked at by this user.
      return Optional.empty();
    }
  }

  /** Whether something else is there; a link that leads nowhere is nothing. */
  private static boolean isNoFolder(Path dir) {
    return Files.exists(dir) && !Files.isDirectory(dir);
  }

  private static String notWritable(Path dir) {
    if (isNoFolder(dir)) {
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

  /** Whether a faster tier has a dir whose cap leaves room for what may become large. */
  static List<Finding> caps(Rollout rollout) {
    Optional<NodeTiers> tiers = rollout.tiers().tiers();
    if (!tiers.isPresent()) {
      return Immutable.listOf();
    }
    long large = tiers.get().settings().largeSizeBytes();
    List<Tier> all = tiers.get().layout().tiers();
    List<Finding> findings = new ArrayList<>();
    for (Tier tier : all.subList(0, all.size() - 1)) {
      // A cap of 0 is how a tier is switched off.
      boolean closed =
          tier.dirs().stream().allMatch(dir -> dir.capped() && dir.capBytes() < large)
              && tier.dirs().stream().anyMatch(dir -> dir.capBytes() > 0);
      if (closed) {
        findings.addAll(
            rollout.ofNode(
                Severity.ERROR,
                TierKey.LOCAL_DIRS.key(),
                String.format(
                    "No dir of %s may hold %s (temptier.large-size): work dirs, localized archives"
                        + " and second attempts never go there, but to %s.",
                    tier.medium(), Sizes.format(large), all.get(all.size() - 1).medium()),
                "Raise the cap of a dir above that, or lower temptier.large-size to what an"
                    + " application unpacks and writes into its work dir."));
      }
    }
    return findings;
  }

  static List<LocalDir> dirs(Rollout rollout) {
    return rollout
        .tiers()
        .tiers()
        .map(NodeTiers::layout)
        .map(l -> l.dirs())
        .orElse(Immutable.listOf());
  }

  private static Finding about(
      Rollout rollout, Severity severity, List<LocalDir> dirs, String what, String remedy) {
    String key = YarnConfiguration.NM_LOCAL_DIRS;
    return Finding.of(
        severity,
        key,
        dirs.stream().map(dir -> dir.path().toString()).collect(Collectors.joining(",")),
        rollout.origin(rollout.node(), key),
        what,
        remedy);
  }
}
