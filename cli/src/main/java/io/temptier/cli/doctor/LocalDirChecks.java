// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.hadoop.conf.TierKey;
import io.temptier.s3a.UploadBufferDirCheck;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Tier;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.settings.NodeTiers;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
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
    List<LocalDir> here = new ArrayList<>(rollout.dirs());
    here.removeIf(dir -> !Files.isDirectory(dir.path()));
    List<LocalDir> missing = new ArrayList<>(rollout.dirs());
    missing.removeAll(here);
    if (here.isEmpty()) {
      return missing.isEmpty()
          ? Immutable.listOf()
          : Immutable.listOf(about(rollout, missing, "dirs.elsewhere"));
    }
    Set<Path> others = new HashSet<>(Immutable.setOf(Paths.get("/")));
    here.forEach(dir -> others.add(mount(rollout, dir)));
    return missing.stream()
        // What is something else is told of where it is asked who may write to it.
        .filter(dir -> !Files.exists(dir.path()) && others.contains(mount(rollout, dir)))
        .map(
            dir ->
                about(
                    rollout,
                    Immutable.listOf(dir),
                    "dir.absent",
                    mount(rollout, dir),
                    dir.medium()))
        .collect(Immutable.toList());
  }

  private static Path mount(Rollout rollout, LocalDir dir) {
    return rollout.kernel().classify(dir.path()).mountPoint();
  }

  /** Whether somebody may write to the dirs that are here. */
  static List<Finding> writable(Rollout rollout) {
    List<Finding> findings = new ArrayList<>();
    for (LocalDir dir : rollout.dirs()) {
      String why = notWritable(dir.path());
      if (!why.isEmpty()) {
        findings.add(about(rollout, Immutable.listOf(dir), "dir.closed", why));
      }
    }
    return findings;
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

  /** Whether one user, as whom the NodeManager runs, may write to all dirs that are here. */
  static List<Finding> owners(Rollout rollout) {
    Map<String, List<LocalDir>> byOwner = new TreeMap<>();
    for (LocalDir dir : rollout.dirs()) {
      try {
        if (Collections.disjoint(
            Files.getPosixFilePermissions(dir.path()),
            PosixFilePermissions.fromString("----w--w-"))) {
          String owner = Files.getOwner(dir.path()).getName();
          byOwner.computeIfAbsent(owner, any -> new ArrayList<>()).add(dir);
        }
      } catch (IOException | UnsupportedOperationException e) {
        // Not here, or not to be looked at by this user.
      }
    }
    Optional<String> user = rollout.scripts().value(NODE_MANAGERS_USER);
    user.ifPresent(byOwner::remove);
    boolean known = user.isPresent();
    if (byOwner.size() < (known ? 1 : 2) || user.equals(Optional.of("root"))) {
      return Immutable.listOf();
    }
    String trouble = known ? "dirs.owner" : "dirs.owners";
    return byOwner.entrySet().stream()
        .map(each -> about(rollout, each.getValue(), trouble, each.getKey(), user.orElse("")))
        .collect(Immutable.toList());
  }

  /** Whether a faster tier has a dir whose cap leaves room for what may become large. */
  static List<Finding> caps(Rollout rollout) {
    Optional<NodeTiers> tiers = rollout.tiers().tiers();
    List<Finding> findings = new ArrayList<>();
    if (tiers.isPresent()) {
      long large = tiers.get().settings().largeSizeBytes();
      List<Tier> all = tiers.get().layout().tiers();
      Medium last = all.get(all.size() - 1).medium();
      for (Tier tier : all.subList(0, all.size() - 1)) {
        // A cap of 0 is how a tier is switched off.
        if (tier.dirs().stream().allMatch(dir -> dir.capped() && dir.capBytes() < large)
            && tier.dirs().stream().anyMatch(dir -> dir.capBytes() > 0)) {
          findings.addAll(
              rollout.ofNode(
                  "caps.small",
                  TierKey.LOCAL_DIRS.key(),
                  tier.medium(),
                  Sizes.format(large),
                  last));
        }
      }
    }
    return findings;
  }

  /** Whether the program that reads drives' wear is here, where it is named by its path. */
  static List<Finding> smartctl(Rollout rollout) {
    String key = TierKey.SMARTCTL.key();
    List<String> words = Immutable.listOf(rollout.node().getTrimmed(key, "").split("\\s+"));
    // What sudo is to run comes after sudo's options; else the other words are arguments.
    long programs = words.get(0).matches("(/.*/)?sudo") ? words.size() : 1;
    return words.stream()
        .limit(programs)
        .filter(word -> word.startsWith("/"))
        .filter(path -> rollout.isHere() && !Files.exists(Paths.get(path)))
        .findFirst()
        .map(path -> rollout.ofNode("smartctl.absent", key, path))
        .orElse(Immutable.listOf());
  }

  private static Finding about(
      Rollout rollout, List<LocalDir> dirs, String trouble, Object... said) {
    String key = YarnConfiguration.NM_LOCAL_DIRS;
    String paths = dirs.stream().map(dir -> dir.path().toString()).collect(Collectors.joining(","));
    return Troubles.of(trouble, key, paths, rollout.origin(rollout.node(), key), said);
  }
}
