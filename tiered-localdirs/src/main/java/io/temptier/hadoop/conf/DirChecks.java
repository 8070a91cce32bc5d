// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

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
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** The checks of local dirs that need the host: its kernel, its disks, its folders. */
final class DirChecks {
  private static final String YARN_DIRS = YarnConfiguration.NM_LOCAL_DIRS;
  private static final String OUR_DIRS = TierKey.LOCAL_DIRS.key();

  private final ConfReader reader;

  DirChecks(ConfReader reader) {
    this.reader = reader;
  }

  /** Compares TempTier's list with YARN's, when there is one. */
  void compare(List<Entry> tagged, List<Entry> yarn) {
    Set<Path> yarnDirs = yarn.stream().map(Entry::path).collect(Collectors.toSet());
    Set<Path> ourDirs = tagged.stream().map(Entry::path).collect(Collectors.toSet());
    for (Path dir :
        ourDirs.stream()
            .filter(dir -> !yarnDirs.contains(dir))
            .sorted()
            .collect(Immutable.toList())) {
      reader.error(
          OUR_DIRS,
          dir.toString(),
          "The dir is not in " + YARN_DIRS + ", so that YARN would never clean it up.",
          "Add it to " + YARN_DIRS + ", or take it out here.");
    }
    for (Entry entry : yarn) {
      if (!ourDirs.contains(entry.path())) {
        reader.warning(
            OUR_DIRS,
            entry.path().toString(),
            "The dir is in " + YARN_DIRS + " but not here; its medium is found from the kernel.",
            "List it here with its tag.");
      }
    }
  }

  /** Notes a tag that promises more than the kernel knows of. */
  void compareTag(Entry entry, Classification found) {
    Medium tag = entry.medium().orElse(found.medium());
    if (tag.compareTo(found.medium()) >= 0) {
      return;
    }
    String what =
        "Tagged " + tag + ", while the kernel says " + found.medium() + " (" + found.why() + ").";
    if (found.mountPoint().equals(Paths.get("/"))) {
      reader.warning(
          OUR_DIRS,
          entry.path().toString(),
          what + " It lies on the root file system, which TempTier would fill first.",
          "Check that the disk is mounted.");
    } else {
      reader.info(OUR_DIRS, entry.path().toString(), what + " The tag holds.", "Check the tag.");
    }
  }

  /** A cap that can never bite. */
  void compareCap(NodeDir node) {
    LocalDir dir = node.dir();
    long totalBytes = node.totalBytes();
    if (dir.capped() && totalBytes > 0 && dir.capBytes() > totalBytes) {
      reader.warning(
          OUR_DIRS,
          dir.toString(),
          "The cap of "
              + Sizes.format(dir.capBytes())
              + " is over the size of the file system, "
              + Sizes.format(totalBytes)
              + "; only the reserve bounds the dir.",
          "Check that the disk is mounted, and lower the cap.");
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
        reader.warning(YARN_DIRS, dir.toString(), "It is not a folder; YARN drops it.", "Mend it.");
      } else if (attributes.fileKey() != null) {
        Path other = seen.putIfAbsent(attributes.fileKey(), dir);
        if (other != null) {
          reader.error(
              YARN_DIRS,
              dir.toString(),
              "It is the same folder as " + other + ", by a symbolic link or a bind mount.",
              "Keep one of the two.");
        }
      }
    }
  }

  /** Notes dirs that share a file system, or the disks below. */
  void checkSharing(List<NodeDir> dirs) {
    List<NodeDir> left = new ArrayList<>(dirs);
    while (!left.isEmpty()) {
      NodeDir first = left.get(0);
      Classification kernel = first.kernel();
      List<NodeDir> together = new ArrayList<>(Immutable.listOf(first));
      List<NodeDir> neighbours = new ArrayList<>(Immutable.listOf(first));
      for (NodeDir other : left.subList(1, left.size())) {
        if (kernel.sharesFileSystem(other.kernel())) {
          together.add(other);
        } else if (other.kernel().disks().stream().anyMatch(kernel.disks()::contains)) {
          neighbours.add(other);
        }
      }
      warnOfSharing(together, "lie on one file system (" + kernel.mountPoint() + ")");
      warnOfSharing(neighbours, "lie on file systems of the same disks " + kernel.disks());
      left.removeAll(together);
    }
  }

  private void warnOfSharing(List<NodeDir> dirs, String what) {
    if (dirs.size() < 2) {
      return;
    }
    long media = dirs.stream().map(dir -> dir.dir().medium()).distinct().count();
    reader.warning(
        reader.isSet(TierKey.LOCAL_DIRS) ? OUR_DIRS : YARN_DIRS,
        dirs.stream().map(dir -> dir.dir().toString()).collect(Collectors.joining(",")),
        "These dirs "
            + what
            + ": they share room or speed"
            + (media > 1 ? ", though they are in different tiers." : "."),
        "Give each disk one local dir.");
  }
}
