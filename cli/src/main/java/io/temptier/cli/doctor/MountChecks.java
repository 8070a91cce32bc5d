// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import com.google.auto.value.AutoValue;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.LocalDir;
import io.temptier.tier.NodeTiers;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeMarker;
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

  /** A runtime whose containers have a file system of their own. */
  @AutoValue
  abstract static class ImageRuntime {
    /** As it is allowed by. */
    abstract String type();

    /** The key of what it mounts for reading, as {@code from:to}. */
    abstract String reading();

    /** The same for writing. */
    abstract String writing();

    static ImageRuntime of(String type, String reading, String writing) {
      return new AutoValue_MountChecks_ImageRuntime(type, reading, writing);
    }
  }

  private static final List<ImageRuntime> WITH_IMAGES =
      Immutable.listOf(
          ImageRuntime.of(
              "docker",
              YarnConfiguration.NM_DOCKER_DEFAULT_RO_MOUNTS,
              YarnConfiguration.NM_DOCKER_DEFAULT_RW_MOUNTS),
          ImageRuntime.of(
              "runc",
              YarnConfiguration.NM_RUNC_DEFAULT_RO_MOUNTS,
              YarnConfiguration.NM_RUNC_DEFAULT_RW_MOUNTS));

  private MountChecks() {}

  /** What each runtime that is allowed does not mount. */
  static List<Finding> ofImages(Rollout rollout) {
    List<Path> dirs =
        rollout
            .tiers()
            .tiers()
            .map(NodeTiers::layout)
            .map(Stream::of)
            .orElseGet(Stream::empty)
            .flatMap(layout -> layout.dirs().stream())
            .map(LocalDir::path)
            .collect(Immutable.toList());
    List<String> allowed = Immutable.listOf(rollout.node().getTrimmedStrings(RUNTIMES));
    List<Finding> findings = new ArrayList<>();
    for (ImageRuntime runtime : WITH_IMAGES) {
      if (allowed.stream().anyMatch(runtime.type()::equalsIgnoreCase)) {
        List<Path> ours =
            dirs.stream().map(dir -> dir.resolve(NodeMarker.DIR)).collect(Immutable.toList());
        List<String> keys = Immutable.listOf(runtime.reading(), runtime.writing());
        findings.addAll(missing(rollout, runtime.type(), "ro", ours, keys));
        List<Path> claims = dirs.stream().map(NodeMarker::claims).collect(Immutable.toList());
        findings.addAll(missing(rollout, runtime.type(), "rw", claims, keys.subList(1, 2)));
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
