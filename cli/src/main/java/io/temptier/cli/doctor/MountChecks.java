// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.LocalDir;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Whether the containers of Docker and runC see what TempTier keeps in each local dir. YARN mounts
 * the folders of their application, and no more. The folder is for reading, since an image may make
 * its user root; only the claims in it are for writing.
 */
final class MountChecks {
  private static final String RUNTIMES = YarnConfiguration.LINUX_CONTAINER_RUNTIME_ALLOWED_RUNTIMES;

  /** Runtimes whose containers have a file system of their own. */
  private static final List<String> WITH_IMAGES = Immutable.listOf("docker", "runc");

  /** What a runtime mounts for reading, {@code ro}, or for writing, {@code rw}, as from:to. */
  private static final String MOUNTS = "yarn.nodemanager.runtime.linux.%s.default-%s-mounts";

  private MountChecks() {}

  /** What each runtime that is allowed does not mount. */
  static List<Finding> ofImages(Rollout rollout) {
    List<Path> ours = new ArrayList<>();
    List<Path> claims = new ArrayList<>();
    for (LocalDir dir : LocalDirChecks.dirs(rollout)) {
      ours.add(dir.path().resolve(NodeMarker.DIR));
      claims.add(NodeMarker.claims(dir.path()));
    }
    List<String> allowed = Immutable.listOf(rollout.node().getTrimmedStrings(RUNTIMES));
    List<Finding> findings = new ArrayList<>();
    for (String type : WITH_IMAGES) {
      if (allowed.stream().anyMatch(type::equalsIgnoreCase)) {
        List<String> keys =
            Immutable.listOf(String.format(MOUNTS, type, "ro"), String.format(MOUNTS, type, "rw"));
        findings.addAll(missing(rollout, type, "ro", ours, keys));
        findings.addAll(missing(rollout, type, "rw", claims, keys.subList(1, 2)));
      }
    }
    return findings;
  }

  /**
   * What is said of folders that are not mounted.
   *
   * @param keys any of which may mount them; the first is to
   */
  private static List<Finding> missing(
      Rollout rollout, String type, String mode, List<Path> folders, List<String> keys) {
    List<String> mounts =
        keys.stream()
            .flatMap(key -> Stream.of(rollout.node().getTrimmedStrings(key)))
            .collect(Immutable.toList());
    List<Path> missing =
        folders.stream()
            .filter(folder -> mounts.stream().noneMatch(mount -> shows(mount, folder)))
            .collect(Immutable.toList());
    if (missing.isEmpty()) {
      return Immutable.listOf();
    }
    List<String> wanted =
        missing.stream().map(folder -> folder + ":" + folder).collect(Immutable.toList());
    List<String> all =
        new ArrayList<>(Immutable.listOf(rollout.node().getTrimmedStrings(keys.get(0))));
    // With a third part it keeps containers from starting.
    all.removeIf(mount -> wanted.stream().anyMatch(pair -> mount.startsWith(pair + ":")));
    all.addAll(wanted);
    return rollout.ofNode(
        Severity.WARNING,
        keys.get(0),
        String.format(
            "%s allows %s, whose containers do not see %s of each local dir: stock Hadoop places"
                + " what they write, on any tier.",
            RUNTIMES, type, mode.equals("ro") ? NodeMarker.DIR : "the claims in TempTier's folder"),
        String.format(
                "First allow %s in %s.allowed.%s-mounts of container-executor.cfg, else no"
                    + " container starts. ",
                missing.stream().map(Path::toString).collect(Collectors.joining(",")), type, mode)
            + (mode.equals("ro") ? "TempTier's jars must be in the image, or mounted too. " : "")
            + Paste.into(Rollout.YARN_SITE, keys.get(0), String.join(",", all)));
  }

  /** Whether a mount shows a folder at its own path; it has two parts, and no mode. */
  private static boolean shows(String mount, Path folder) {
    try {
      List<Path> parts =
          Stream.of(mount.split(":", -1))
              .map(Paths::get)
              .map(Path::normalize)
              .collect(Immutable.toList());
      return parts.size() == 2
          && parts.get(0).equals(parts.get(1))
          && folder.startsWith(parts.get(0));
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
