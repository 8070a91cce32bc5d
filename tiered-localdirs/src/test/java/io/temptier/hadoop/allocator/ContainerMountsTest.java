// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.fixtures.Programs;
import io.temptier.fixtures.Texts;
import io.temptier.testing.SharedNode;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.TierSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A task in a mount namespace as Docker and runC make it: the node's dirs are away, the folders
 * above what is mounted are root's, on the image's file system.
 */
@NeedsLoopDisk
@Timeout(600)
class ContainerMountsTest {
  private static final long FAST_BYTES = 64L << 20;
  private static final long FILE_BYTES = 1L << 20;

  private static final String CLAIMS = NodeMarker.DIR + "/" + NodeMarker.CLAIMS;

  @TempDir Path temp;
  @AutoClose private LoopDisk disk;
  @AutoClose private SharedNode node;
  private String appDir;

  @BeforeEach
  void makeNode() throws IOException {
    Path dirs = Files.createDirectories(temp.resolve("node"));
    disk = LoopDisk.create(dirs, FAST_BYTES);
    Path fast = disk.path().resolve("yarn");
    Reserve reserve = Reserve.ofBytes(1);
    node = new SharedNode(temp, fast, dirs.resolve("slow"), reserve, TierSettings.DEFAULT);
    appDir = node.fast.relativize(node.appDir(node.fast, node.ann)).toString();
  }

  @Test
  void withTempTiersFolderMountedItsFilesArePlacedAndClaimedFor() throws Exception {
    String said = runInContainer(List.of(NodeMarker.DIR, CLAIMS, appDir));
    assertFalse(said.contains("WRITABLE"), "root in the container could change the marker");
    Texts.has(
        said,
        "PLACED " + node.fast.resolve(appDir) + "/output/file.out",
        "COUNTED temptier-nvme 1 " + FILE_BYTES,
        "CLAIMED " + FILE_BYTES + " ");
  }

  /** The disk's room is asked for, not the image's. */
  @Test
  void aFullDiskIsSeenFromTheContainer() throws Exception {
    String fill = "head -c 1G /dev/zero > " + node.fast.resolve("full") + " || true";
    String full = Programs.run(List.of("sh", "-c", fill));
    assertTrue(full.contains("No space left"), full);
    String said = runInContainer(List.of(NodeMarker.DIR, CLAIMS, appDir));
    Texts.has(
        said,
        "PLACED " + node.slow.resolve(appDir) + "/output/file.out",
        "COUNTED temptier-disk 1 " + FILE_BYTES);
  }

  @Test
  void withoutItStockPlacesThemWithOneLine() throws Exception {
    String said = runInContainer(List.of(appDir));
    Texts.has(said, "PLACED ", "default-ro-mounts");
    long lines = said.lines().filter(line -> line.contains("Stock Hadoop places")).count();
    assertEquals(1, lines, said);
    Texts.lacks(said, "COUNTED");
  }

  /** Runs ann's task where it sees nothing of the local dirs but what is mounted of them. */
  private String runInContainer(List<String> mounted) throws Exception {
    Path aside = Files.createDirectory(temp.resolve("aside"));
    List<String> script = new ArrayList<>(List.of("set -e"));
    List<String> moves = new ArrayList<>();
    for (Path root : List.of(node.fast, node.slow)) {
      for (String folder : mounted) {
        Path source = root.resolve(folder);
        Path held = aside.resolve(Integer.toString(source.hashCode()));
        script.add("mkdir " + held + " && mount --bind " + source + " " + held);
        moves.add("mkdir -p " + source + " && mount --move " + held + " " + source);
        if (folder.equals(NodeMarker.DIR)) {
          moves.add("mount -o remount,bind,ro " + source);
          moves.add("if touch " + source + "/x 2> /dev/null; then echo WRITABLE; fi");
        }
      }
    }
    script.add("mount -t tmpfs -o mode=755 image " + temp.resolve("node"));
    script.addAll(moves);
    script.add("exec \"$@\"");
    List<String> line = new ArrayList<>(List.of("unshare", "-m", "--propagation", "private"));
    line.addAll(List.of("sh", "-c", String.join("\n", script), "sh"));
    line.addAll(node.java(node.ann, SeamProcess.in(node.appDirs(node.ann))));
    return Programs.run(line);
  }
}
