// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Needs.NeedsMergerfs;
import io.temptier.fixtures.Needs.NeedsSlowDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NeedsMergerfs
@NeedsSlowDisk
final class MergedMountTest {
  @TempDir private Path dir;

  @Test
  void aNewFileGoesIntoTheFirstFolder() throws IOException {
    Path first = dir.resolve("first");
    Path second = dir.resolve("second");
    Path at = dir.resolve("merged");
    try (MergedMount mount =
        MergedMount.create(at, List.of(first, second), 1 << 20, UnaryOperator.identity())) {
      Files.writeString(mount.path().resolve("file"), "text");
      assertEquals("text", Files.readString(first.resolve("file")));
      assertFalse(Files.exists(second.resolve("file")));
    }
    assertFalse(Files.exists(at));
    assertTrue(Files.exists(first.resolve("file")), "what is in the folders stays");
  }

  @Test
  void itGoesWithTheFolderOfItsRunEvenWhenItsProcessIsGone() throws IOException {
    try (TestbedHome home = TestbedHome.create(dir)) {
      Path at = home.path().resolve("merged");
      ControlGroup group =
          ControlGroup.ofMemory(ControlGroup.CGROUPS, home.path(), 256 << 20).orElseThrow();
      MergedMount mount =
          MergedMount.create(at, List.of(home.path().resolve("a")), 1 << 20, group::join);
      assertEquals(at, mount.path());
      group.close();
    }
    assertFalse(Files.readString(Path.of("/proc/self/mountinfo")).contains(dir.toString()));
    try (var left = Files.list(dir)) {
      assertEquals(0, left.count());
    }
  }
}
