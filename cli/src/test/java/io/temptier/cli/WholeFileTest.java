// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {
  @TempDir private Path folder;

  @Test
  void takesThePlaceOfWhatWasThereAndLeavesNothingElse() throws IOException {
    Path file = folder.resolve("report");
    WholeFile.write(file, "old");
    WholeFile.write(file, "new");
    assertEquals("new", Files.readString(file));
    try (Stream<Path> all = Files.list(folder)) {
      assertEquals(List.of(file), all.toList());
    }
  }
}
