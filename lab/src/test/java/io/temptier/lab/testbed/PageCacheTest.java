// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.NeedsPageCache;
import io.temptier.lab.process.Shell;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PageCacheTest {
  private static final int BYTES = 4 << 20;

  @TempDir private Path dir;

  @Test
  @NeedsPageCache
  void aFileThatWasReadIsColdAgain() throws IOException {
    Path file = dir.resolve("a file");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(java.nio.ByteBuffer.allocate(BYTES));
      channel.force(true);
    }
    Files.readAllBytes(file);
    assertTrue(cached(file) > BYTES / 2, "cached before: " + cached(file));
    PageCache.drop(List.of(file));
    assertTrue(cached(file) < BYTES / 2, "cached after: " + cached(file));
  }

  @Test
  void aMissingFileIsSaid() {
    Path missing = dir.resolve("missing");
    IOException e = assertThrows(IOException.class, () -> PageCache.drop(List.of(missing)));
    assertTrue(String.valueOf(e.getMessage()).contains(missing.toString()), e.toString());
  }

  private static long cached(Path file) throws IOException {
    return Long.parseLong(Shell.run("fincore", "-b", "-n", "-o", "RES", file.toString()));
  }
}
