// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FoldersTest {
  @TempDir private Path dir;

  @Test
  void countsFilesAndNoLinks() throws IOException {
    Path fast = Files.createDirectories(dir.resolve("fast/a/b"));
    Path slow = Files.write(dir.resolve("slow"), new byte[1000]);
    Files.write(fast.resolve("file"), new byte[10]);
    Files.createSymbolicLink(fast.resolve("link"), slow);
    Path claims = Files.createDirectories(dir.resolve("fast/.temptier/claims"));
    Files.write(claims.resolve("claim"), new byte[100]);
    assertEquals(10, Folders.bytesOf(dir.resolve("fast")));
    assertEquals(0, Folders.bytesOf(dir.resolve("gone")));
  }
}
