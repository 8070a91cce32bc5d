// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.os.InodeCounts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeInodesTest {
  @Test
  void oneQuestionIsForAllDirsButThoseThatHang(@TempDir Path temp) throws Exception {
    LocalDir sound = dir(temp.resolve("sound"));
    LocalDir hung = dir(temp.resolve("hung"));
    List<LocalDir> asked = new ArrayList<>();
    NodeInodes inodes =
        new NodeInodes(
            List.of(sound, hung),
            dir -> {
              asked.add(dir);
              return dir.equals(hung);
            });
    InodeCounts counts = inodes.of(sound.path());
    assertEquals(InodeCounts.UNBOUNDED, inodes.of(hung.path()));
    assertEquals(counts, inodes.of(sound.path()));
    assertEquals(List.of(sound, hung), asked);
  }

  private static LocalDir dir(Path path) throws Exception {
    return LocalDir.of(Files.createDirectory(path), Medium.DISK, LocalDir.NO_CAP, "test");
  }
}
