// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.lab.process.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DirtyPagesTest {
  @TempDir private Path vm;
  @TempDir private Path home;
  @TempDir private Path other;

  @BeforeEach
  void kernelDefaults() throws IOException {
    set("dirty_bytes", "0");
    set("dirty_ratio", "20");
    set("dirty_background_bytes", "0");
    set("dirty_background_ratio", "10");
  }

  @Test
  void whatWasRatiosIsPutBackAsRatios() throws IOException {
    DirtyPages.bound(vm, home);
    assertEquals("67108864", get("dirty_bytes"));
    assertEquals("16777216", get("dirty_background_bytes"));
    // As the kernel does when the other of a pair is written.
    set("dirty_ratio", "0");
    set("dirty_background_ratio", "0");
    DirtyPages.restore(vm, home);
    assertEquals(List.of("20", "10"), List.of(get("dirty_ratio"), get("dirty_background_ratio")));
    set("dirty_ratio", "30");
    DirtyPages.restore(vm, home);
    assertEquals("30", get("dirty_ratio"), "put back a second time");
  }

  @Test
  void aSecondRunLeavesTheBoundToTheFirst() throws IOException {
    DirtyPages.bound(vm, home);
    DirtyPages.bound(vm, other);
    DirtyPages.restore(vm, other);
    assertEquals("67108864", get("dirty_bytes"));
    try (var files = Files.list(other)) {
      assertEquals(0, files.count(), "it wrote down what it did not change");
    }
  }

  @Test
  void aKernelsFileIsReadWhole() throws IOException {
    Path file = Path.of("/proc/sys/vm/dirty_expire_centisecs");
    assertEquals(Shell.run("cat", file.toString()), DirtyPages.read(file));
  }

  private void set(String key, String value) throws IOException {
    Files.writeString(vm.resolve(key), value);
  }

  private String get(String key) throws IOException {
    return Files.readString(vm.resolve(key));
  }
}
